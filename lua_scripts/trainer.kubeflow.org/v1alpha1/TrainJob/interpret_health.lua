-- Only a job that has failed is unhealthy: a running or suspended one must not be moved.
local function assess(obj)
  local status = obj.status
  if status == nil then
    return { status = "Progressing", reason = "NoStatus", message = "the controller has not reported yet" }
  end
  local current = {}
  for _, condition in ipairs(status.conditions or {}) do
    if condition.status == "True" and condition.type ~= nil then
      current[condition.type] = condition
    end
  end
  if current.Failed ~= nil then
    return { status = "Degraded", reason = current.Failed.reason or "Failed", message = current.Failed.message }
  elseif current.Complete ~= nil then
    return { status = "Healthy", reason = current.Complete.reason or "Complete", message = current.Complete.message }
  elseif current.Suspended ~= nil then
    return { status = "Suspended", reason = current.Suspended.reason or "Suspended", message = current.Suspended.message }
  end
  return { status = "Progressing", reason = "Running", message = "the job has not finished yet", healthy = true }
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
