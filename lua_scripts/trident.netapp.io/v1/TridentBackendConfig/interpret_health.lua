-- The phase tells whether there is a backend, the last operation whether it is as wanted: a bound one may have refused an
-- update.
local PHASES = { Bound = "Healthy", Lost = "Degraded", Unknown = "Unknown" }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

function InterpretHealth(obj)
  local status = obj.status or {}
  local phase, operation = status.phase or "", status.lastOperationStatus or ""
  if operation == "Failed" then
    return answer("Degraded", operation, status.message)
  elseif (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", status.message or "deletion was requested")
  elseif phase == "" then
    return answer("Progressing", "NoPhase", status.message or "Trident has not looked at it yet")
  elseif PHASES[phase] == "Healthy" and operation ~= "" and operation ~= "Success" then
    return answer("Progressing", operation, status.message)
  end
  return answer(PHASES[phase] or "Progressing", phase, status.message)
end
