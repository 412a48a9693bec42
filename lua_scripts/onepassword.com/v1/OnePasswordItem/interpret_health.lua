-- Ready is False only after an attempt that failed, with the error as message.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = string.match(message or "", "[^\r\n]+") }
end

function InterpretHealth(obj)
  local ready = {}
  for _, condition in ipairs((obj.status or {}).conditions or {}) do
    if condition.type == "Ready" then
      ready = condition
    end
  end
  if (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif ready.status == "True" then
    return answer("Healthy", ready.reason or "Ready", ready.message)
  elseif ready.status == "False" then
    return answer("Degraded", ready.reason or "NotReady", ready.message)
  end
  return answer("Progressing", "NotReported", "the operator has not read the item yet")
end
