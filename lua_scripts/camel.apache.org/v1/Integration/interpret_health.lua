-- The phase decides; a running integration must be ready too, where its pods are watched for that.
local PHASES = { Running = "Healthy", Error = "Degraded", ["Import Error"] = "Degraded", Unknown = "Unknown" }

local function answer(status, condition, reason, message)
  condition = condition or {}
  return { status = status, reason = condition.reason or reason, message = condition.message or message }
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status, generation = obj.status or {}, (obj.metadata or {}).generation or 0
  local phase, ready = status.phase or "", nil
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "Ready" and condition.status ~= "True" then
      ready = condition
    end
  end
  local word = PHASES[phase] or "Progressing"
  if word == "Degraded" or ready and ready.reason == "Error" then
    return answer("Degraded", ready, phase)
  elseif (status.observedGeneration or generation) < generation then
    return answer("Progressing", nil, "StaleStatus", "the status is of an older generation")
  elseif word == "Healthy" and ready then
    return answer("Progressing", ready, "NotReady")
  elseif phase == "" then
    return answer("Progressing", nil, "NoPhase", "the operator has not looked at it yet")
  end
  return answer(word, nil, phase)
end
