-- A plan runs once, after it is approved where a person has to.
local PHASES = { Complete = "Healthy", Failed = "Degraded", RequiresApproval = "Suspended" }

function InterpretHealth(obj)
  local status = obj.status or {}
  local phase, message = status.phase or "", status.message
  for _, condition in ipairs(status.conditions or {}) do
    message = condition.status == "False" and condition.message or message
  end
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  elseif phase == "" then
    return { status = "Progressing", reason = "NoPhase", message = "the plan has not been looked at yet" }
  end
  return { status = PHASES[phase] or "Progressing", reason = phase, message = string.match(message or "", "[^\r\n]+") }
end
