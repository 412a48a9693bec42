-- Ready is written after every attempt, with its error. An empty status is what the operator leaves before RabbitMQ has
-- answered it at all, and so it cannot be told whether the object is there.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

function InterpretHealth(obj)
  local status, metadata, ready = obj.status or {}, obj.metadata or {}, nil
  local generation = metadata.generation or 0
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "Ready" then
      ready = condition
    end
  end
  if metadata.deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif not obj.status then
    return answer("Progressing", "NoStatus", "the operator has not looked at it yet")
  elseif not ready then
    return answer("Unknown", "NotReported", "RabbitMQ has not answered the operator yet")
  elseif ready.status == "False" then
    return answer("Degraded", ready.reason or "NotReady", ready.message)
  elseif (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  elseif ready.status == "True" then
    return answer("Healthy", ready.reason or "Ready", ready.message)
  end
  return answer("Unknown", ready.reason or "NotReported", ready.message)
end
