-- Argo CD's own verdict on the resources of the application; without one, its error conditions tell why.
local KNOWN = { Healthy = true, Progressing = true, Degraded = true, Suspended = true, Missing = true }

local function firstError(status)
  for _, condition in ipairs(status.conditions or {}) do
    local kind = string.match(condition.type or "", "Error$")
    if kind ~= nil then
      return condition
    end
  end
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status = obj.status or {}
  local health = status.health or {}
  if KNOWN[health.status] then
    return { status = health.status, reason = health.status, message = health.message }
  end
  local condition = firstError(status)
  if condition ~= nil then
    return { status = "Degraded", reason = condition.type, message = condition.message }
  elseif health.status == "Unknown" then
    return { status = "Unknown", reason = "Unknown", message = health.message }
  end
  return { status = "Progressing", reason = "NoHealth", message = "Argo CD has not assessed the application yet" }
end
