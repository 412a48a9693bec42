-- Only a job that has failed is unhealthy: a running, restarting or suspended one must not be moved.
-- A job without conditions has not been looked at by its controller.
local RANK = { "Failed", "Succeeded", "Suspended", "Restarting", "Running", "Created" }
local HEALTH = { Failed = "Degraded", Succeeded = "Healthy", Suspended = "Suspended" }

local function assess(obj)
  local conditions = (obj.status or {}).conditions
  if conditions == nil then
    return { status = "Progressing", reason = "NoStatus", message = "the controller has not reported yet" }
  end
  local current = {}
  for _, condition in ipairs(conditions) do
    if condition.status == "True" and condition.type ~= nil then
      current[condition.type] = condition
    end
  end
  for _, kind in ipairs(RANK) do
    local condition = current[kind]
    if condition ~= nil then
      return {
        status = HEALTH[kind] or "Progressing",
        reason = condition.reason or kind,
        message = condition.message,
        healthy = kind ~= "Failed",
      }
    end
  end
  return { status = "Progressing", reason = "NotStarted", message = "no condition is true yet", healthy = true }
end

-- A deletion changes nothing about the boolean.
function InterpretHealth(obj)
  local health = assess(obj)
  if not (obj.metadata or {}).deletionTimestamp then
    return health
  end
  local healthy = health.healthy
  return { status = "Progressing", reason = "Terminating", message = "deletion was requested", healthy = healthy }
end
