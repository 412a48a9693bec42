-- Failed and Completed are final. Until then jobs run or restart as their failure policy says: on the way, and
-- nothing to move elsewhere, so it counts as healthy.
local function find(status, name)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == name then
      return condition
    end
  end
  return {}
end

local function answer(status, condition)
  return { status = status, reason = condition.reason, message = condition.message }
end

local function assess(obj)
  local spec, status = obj.spec or {}, obj.status or {}
  local failed, completed, suspended = find(status, "Failed"), find(status, "Completed"), find(status, "Suspended")
  if failed.status == "True" or status.terminalState == "Failed" then
    return answer("Degraded", failed)
  end
  if completed.status == "True" or status.terminalState == "Completed" then
    return answer("Healthy", completed)
  end
  if spec.suspend == true or suspended.status == "True" then
    local message = suspended.message or "the job set is suspended"
    return { status = "Suspended", reason = suspended.reason or "Suspended", message = message }
  end
  if status.replicatedJobsStatus == nil then
    return { status = "Progressing", reason = "NotStarted", message = "the controller has not reported any job yet" }
  end
  local message = "jobs are running, " .. (status.restarts or 0) .. " restarts so far"
  return { status = "Progressing", reason = "Running", message = message, healthy = true }
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
