-- Waiting for the next run is healthy, and so is a run in progress. The controller writes the type of job as soon as
-- it has found a template that it can run; without it there will be no run.
local function assess(obj)
  local spec, status = obj.spec or {}, obj.status
  if spec.paused then
    return { status = "Suspended", reason = "Paused", message = "no jobs are started while it is paused" }
  end
  if status == nil then
    return { status = "Progressing", reason = "NoStatus", message = "waits for its controller", healthy = true }
  end
  local active = #(status.active or {})
  if active > 0 then
    return { status = "Progressing", reason = "Running", message = "running jobs: " .. active, healthy = true }
  end
  if status.lastScheduleTime ~= nil then
    return { status = "Healthy", reason = "Scheduled", message = "last run at " .. status.lastScheduleTime }
  end
  if status.type == nil then
    return { status = "Degraded", reason = "NeverScheduled", message = "no job template was recognised" }
  end
  return { status = "Healthy", reason = "WaitsForSchedule", message = "waits for its first run" }
end

-- A deletion changes nothing about the boolean.
function InterpretHealth(obj)
  local health = assess(obj)
  if not (obj.metadata or {}).deletionTimestamp then
    return health
  end
  local healthy = health.healthy
  if healthy == nil then
    healthy = health.status == "Healthy" or health.status == "Suspended" or nil
  end
  return { status = "Progressing", reason = "Terminating", message = "deletion was requested", healthy = healthy }
end
