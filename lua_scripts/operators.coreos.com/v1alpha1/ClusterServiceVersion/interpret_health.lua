-- InstallReady is a phase before the installation, not after it; Replacing and Deleting belong to versions on their way
-- out. Its conditions are a history of phases.
local PHASES = { Succeeded = "Healthy", Failed = "Degraded", Unknown = "Unknown" }

function InterpretHealth(obj)
  local status = obj.status or {}
  local phase, message = status.phase or "", string.match(status.message or "", "[^\r\n]+")
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = message or "deletion was requested" }
  elseif phase == "" then
    return { status = "Progressing", reason = "NoPhase", message = "the version has not been looked at yet" }
  end
  return { status = PHASES[phase] or "Progressing", reason = status.reason or phase, message = message }
end
