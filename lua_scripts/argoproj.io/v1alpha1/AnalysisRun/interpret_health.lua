-- The phase decides; a run that is not completed is on its way, and an inconclusive one leaves open what it was to tell.
local PHASES = { Successful = "Healthy", Failed = "Degraded", Error = "Degraded", Inconclusive = "Unknown" }

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status = obj.status or {}
  local phase, message = status.phase or "", status.message
  if phase == "" then
    return { status = "Progressing", reason = "Pending", message = "the run has not started yet" }
  end
  return { status = PHASES[phase] or "Progressing", reason = phase, message = message }
end
