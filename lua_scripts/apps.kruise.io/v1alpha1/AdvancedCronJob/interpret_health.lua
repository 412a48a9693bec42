-- Waiting for the next run is healthy, and so is a run in progress. The controller writes the type of job as soon as
-- it has found a template that it can run; without it there will be no run.
function InterpretHealth(obj)
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
