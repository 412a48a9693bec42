-- The reason of Ready says what Config Connector does; what is not on its way and not ready has failed. The operator's
-- own objects say healthy and errors instead.
local UNDER_WAY = { Updating = "Progressing", Deleting = "Progressing", DependencyNotReady = "Suspended" }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

local function find(conditions, kind)
  for _, condition in ipairs(conditions or {}) do
    if condition.type == kind then
      return condition
    end
  end
end

function InterpretHealth(obj)
  local status, metadata = obj.status or {}, obj.metadata or {}
  local ready, generation = find(status.conditions, "Ready"), metadata.generation or 0
  if status.healthy == false then
    return answer("Degraded", "Unhealthy", table.concat(status.errors or {}, ", "))
  elseif ready and ready.status == "False" and not UNDER_WAY[ready.reason] then
    return answer("Degraded", ready.reason or "NotReady", ready.message)
  elseif (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  elseif metadata.deletionTimestamp then
    return answer("Progressing", "Deleting", ready and ready.message)
  elseif ready and ready.status == "True" then
    return answer("Healthy", ready.reason or "Ready", ready.message)
  elseif ready then
    return answer(UNDER_WAY[ready.reason] or "Progressing", ready.reason or "NotReady", ready.message)
  elseif status.healthy then
    return answer("Healthy", "Healthy", "all components are healthy")
  end
  return answer("Progressing", "NoStatus", "Config Connector has not reported yet")
end
