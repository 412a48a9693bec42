-- The printable status is the machine's state in a word. A machine that migrates runs all the while; errors have names
-- that end so, or are those of pods.
local STATES = {
  Running = "Healthy", Migrating = "Healthy", Stopped = "Suspended", Paused = "Suspended", CrashLoopBackOff = "Degraded",
  ErrImagePull = "Degraded", ImagePullBackOff = "Degraded", ErrorUnschedulable = "Degraded", DataVolumeError = "Degraded",
  ErrorPvcNotFound = "Missing", ErrorDataVolumeNotFound = "Missing", Unknown = "Unknown",
}

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

function InterpretHealth(obj)
  local status, found = obj.status or {}, {}
  local state = status.printableStatus or ""
  for _, condition in ipairs(status.conditions or {}) do
    found[condition.type or ""] = condition
  end
  local ready, failure, paused = found.Ready or {}, found.Failure or {}, found.Paused or {}
  if failure.status == "True" then
    return answer("Degraded", failure.reason or "Failure", failure.message)
  elseif (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif paused.status == "True" then
    return answer("Suspended", paused.reason or "Paused", paused.message)
  elseif state == "" and ready.status == "True" then
    return answer("Healthy", "Ready", ready.message)
  elseif STATES[state] == "Healthy" and ready.status ~= "True" then
    return answer("Progressing", ready.reason or "NotReady", ready.message)
  end
  local reason = state ~= "" and state or ready.reason or "NotReported"
  return answer(STATES[state] or "Progressing", reason, ready.message or "not reported as ready")
end
