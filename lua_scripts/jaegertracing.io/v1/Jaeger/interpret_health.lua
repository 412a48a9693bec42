-- The operator knows two phases and leaves it blank until the first one is reached.
local PHASES = { Running = "Healthy", Failed = "Degraded" }

function InterpretHealth(obj)
  local phase = (obj.status or {}).phase or ""
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  elseif phase == "" then
    return { status = "Progressing", reason = "NoPhase", message = "the operator has not reported a phase yet" }
  end
  return { status = PHASES[phase] or "Progressing", reason = phase }
end
