-- A condition that is False names what is broken, unless its reason says that it goes on. A pause is an answer to what
-- was asked for, by a person or by Numaplane, which labels what failed to be upgraded.
local LABEL = "numaplane.numaproj.io/progressive-result-state"
local PHASES = { Running = true, Paused = true, Succeeded = true }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = string.match(message or "", "[^\r\n]+") }
end

function InterpretHealth(obj)
  local status, metadata, waiting = obj.status or {}, obj.metadata or {}, nil
  local phase, generation = status.phase or "", metadata.generation or 0
  for _, condition in ipairs(status.conditions or {}) do
    local reason = condition.reason or condition.type
    if condition.status == "False" and reason ~= "Progressing" then
      return answer("Degraded", reason, condition.message)
    elseif condition.status ~= "True" then
      waiting = waiting or answer("Progressing", reason, condition.message)
    end
  end
  if phase == "Failed" then
    return answer("Degraded", status.reason or phase, status.message)
  elseif (metadata.labels or {})[LABEL] == "failed" then
    return answer("Degraded", "UpgradeFailed", "Numaplane gave up the upgrade to it")
  elseif metadata.deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  elseif phase == "" then
    return answer("Progressing", "NoPhase", "the controller has not looked at it yet")
  elseif not PHASES[phase] then
    return answer("Progressing", phase, status.message)
  end
  return phase == "Running" and waiting or answer("Healthy", phase, status.message)
end
