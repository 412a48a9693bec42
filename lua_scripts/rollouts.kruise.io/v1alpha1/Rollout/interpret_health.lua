-- A paused step waits for a person or for its time. A rollout that is switched off lets go of its workload, in the
-- middle of a release too, which nobody ends then.
local PHASES = { Healthy = "Healthy", Disabled = "Degraded" }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

function InterpretHealth(obj)
  local status, spec, metadata = obj.status or {}, obj.spec or {}, obj.metadata or {}
  local steps, phase = status.canaryStatus or status.blueGreenStatus or {}, status.phase or ""
  local generation, paused = metadata.generation or 0, (spec.strategy or {}).paused
  local state = status.currentStepState or steps.currentStepState
  if metadata.deletionTimestamp then
    return answer("Progressing", "Terminating", status.message or "deletion was requested")
  elseif (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  elseif phase == "" then
    return answer("Progressing", "NoPhase", "the controller has not looked at it yet")
  elseif phase == "Progressing" and (paused or state == "StepPaused") then
    return answer("Suspended", paused and "Paused" or state, status.message)
  end
  return answer(PHASES[phase] or "Progressing", phase, status.message)
end
