-- Like a pod it does not come back after an end: shut down on purpose it has succeeded, and stays so while it is removed.
local FINAL = { Succeeded = "Suspended", Failed = "Degraded", Unknown = "Unknown" }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

function InterpretHealth(obj)
  local status, found = obj.status or {}, {}
  local phase = status.phase or ""
  for _, condition in ipairs(status.conditions or {}) do
    found[condition.type or ""] = condition
  end
  local ready, paused, failure = found.Ready or {}, found.Paused or {}, found.Synchronized or {}
  if FINAL[phase] then
    return answer(FINAL[phase], status.reason or phase, ready.message)
  elseif (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", ready.message or "deletion was requested")
  elseif failure.status == "False" then
    return answer("Degraded", failure.reason or "NotSynchronized", failure.message)
  elseif paused.status == "True" then
    return answer("Suspended", paused.reason or "Paused", paused.message)
  elseif phase == "Running" and ready.status == "True" then
    return answer("Healthy", phase, "the guest is running")
  end
  return answer("Progressing", ready.reason or phase ~= "" and phase or "NoPhase", ready.message or "not scheduled yet")
end
