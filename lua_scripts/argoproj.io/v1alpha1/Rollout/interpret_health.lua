-- The phase, written since version 1.0, decides. Before, it follows from the conditions and the replicas.
local PHASES = { Healthy = "Healthy", Degraded = "Degraded", Paused = "Suspended", Progressing = "Progressing" }
local FAILURES = { RolloutAborted = true, ProgressDeadlineExceeded = true }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end
-- Before 1.0 the observed generation was a hash of the spec; one of digits only looks like a generation, but a later one.
local function isStale(observed, generation)
  local digits = string.match(tostring(observed or ""), "^%d+$")
  return digits ~= nil and tonumber(generation) ~= nil and tonumber(digits) < tonumber(generation)
end

local function fromReplicas(spec, status, progress)
  local strategy, desired, updated = spec.strategy or {}, spec.replicas or 1, status.updatedReplicas or 0
  local steps = (strategy.canary or {}).steps or {}
  if spec.paused or status.controllerPause or progress.reason == "RolloutPaused" then
    return answer("Suspended", "RolloutPaused", progress.message or "Rollout is paused")
  elseif updated < desired then
    return answer("Progressing", "UpdatingReplicas", "more replicas need to be updated")
  elseif (status.availableReplicas or 0) < updated then
    return answer("Progressing", "WaitingForAvailability", "updated replicas are still becoming available")
  elseif strategy.blueGreen ~= nil and (status.blueGreen or {}).activeSelector ~= status.currentPodHash then
    return answer("Progressing", "WaitingForCutOver", "the active service does not serve the new version yet")
  elseif strategy.canary ~= nil and #steps > 0 and (status.currentStepIndex or 0) < #steps then
    return answer("Progressing", "RunningSteps", "canary steps are still to be done")
  elseif strategy.canary ~= nil and (status.replicas or 0) > updated then
    return answer("Progressing", "TerminatingReplicas", "old replicas are pending termination")
  end
  return answer("Healthy", progress.reason or "RolloutCompleted", progress.message)
end

function InterpretHealth(obj)
  local status, metadata, conditions = obj.status or {}, obj.metadata or {}, {}
  for _, condition in ipairs(status.conditions or {}) do
    conditions[condition.type or ""] = condition
  end
  local invalid, progress = conditions.InvalidSpec or { status = "False" }, conditions.Progressing or {}
  local workload = (metadata.annotations or {})["rollout.argoproj.io/workload-generation"]
  local stale = isStale(status.observedGeneration, metadata.generation)
  stale = stale or isStale(status.workloadObservedGeneration, workload)
  if metadata.deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif obj.status == nil then
    return answer("Progressing", "NoStatus", "the controller has not reported yet")
  elseif status.phase == "Degraded" then
    return answer("Degraded", "Degraded", status.message)
  elseif invalid.status ~= "False" then
    return answer("Degraded", "InvalidSpec", invalid.message)
  elseif FAILURES[progress.reason] then
    return answer("Degraded", progress.reason, progress.message)
  elseif status.abort then
    return answer("Degraded", "RolloutAborted", status.message)
  elseif stale then
    return answer("Progressing", "StaleStatus", "the controller has not observed the latest change yet")
  elseif PHASES[status.phase] ~= nil then
    return answer(PHASES[status.phase], status.phase, status.message)
  end
  return fromReplicas(obj.spec or {}, status, progress)
end
