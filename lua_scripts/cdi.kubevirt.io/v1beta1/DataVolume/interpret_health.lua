-- The phase decides. A transfer that fails is tried again and again, so its error is told by the condition Running only.
local PHASES = { Succeeded = "Healthy", Failed = "Degraded", Unknown = "Unknown", Paused = "Suspended", UploadReady = "Suspended" }

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status = obj.status or {}
  local phase, text = status.phase or "", nil
  local word = PHASES[phase] or "Progressing"
  for _, condition in ipairs(status.conditions or {}) do
    local failed = condition.type == "Running" and condition.status == "False" and condition.reason == "Error"
    if failed and word ~= "Healthy" then
      return { status = "Degraded", reason = "Error", message = condition.message }
    elseif condition.message ~= "" and (condition.type == "Running" or condition.type == "Bound" and not text) then
      text = condition.message or text
    end
  end
  if phase == "" then
    return { status = "Progressing", reason = "NoPhase", message = "the controller has not looked at it yet" }
  end
  return { status = word, reason = phase, message = text }
end
