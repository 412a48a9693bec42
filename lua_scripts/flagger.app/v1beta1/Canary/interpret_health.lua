-- The phase decides; where a webhook confirms the rollout or the promotion, the canary waits for a person.
local PHASES = {
  Initialized = "Healthy", Succeeded = "Healthy", Failed = "Degraded", Waiting = "Suspended", WaitingPromotion = "Suspended",
}

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status, spec, message = obj.status or {}, obj.spec or {}, nil
  local phase = status.phase or ""
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "Promoted" then
      message = condition.message
    end
  end
  if phase == "" then
    return { status = "Progressing", reason = "NoPhase", message = "Flagger has not looked at it yet" }
  elseif spec.suspend and phase ~= "Failed" then
    return { status = "Suspended", reason = "Suspended", message = "spec.suspend is true" }
  end
  return { status = PHASES[phase] or "Progressing", reason = phase, message = message }
end
