-- False is what the operator says while deployments are waited for, too; only the reason Error tells that a step failed.
-- A truth that is none of the three is not the operator's, and nothing can be built on it.
local TRUTHS = { True = "Healthy", False = "Progressing", Unknown = "Progressing" }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

function InterpretHealth(obj)
  local status, metadata, ready = obj.status or {}, obj.metadata or {}, nil
  local generation = metadata.generation or 0
  for _, condition in ipairs(status.conditions or {}) do
    if condition.status == "False" and condition.reason == "Error" then
      return answer("Degraded", condition.type, condition.message)
    elseif condition.type == "Ready" then
      ready = condition
    end
  end
  if metadata.deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif not ready then
    return answer("Progressing", "NotReported", "the operator has not reported Ready yet")
  elseif not TRUTHS[ready.status or "Unknown"] then
    return answer("Degraded", "InvalidCondition", "Ready is " .. ready.status)
  elseif (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  end
  local word = TRUTHS[ready.status or "Unknown"]
  return answer(word, ready.reason or word == "Healthy" and "Ready" or "NotReady", ready.message)
end
