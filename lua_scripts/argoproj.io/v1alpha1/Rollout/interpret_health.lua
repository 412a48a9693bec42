-- The phase, written since version 1.0, decides. Before, it follows from the conditions and the replicas.
local PHASES = { Healthy = "Healthy", Degraded = "Degraded", Paused = "Suspended", Progressing = "Progressing" }
local FAILURES = { RolloutAborted = true, ProgressDeadlineExceeded = true }

local function progressing(reason, message)
  return { status = "Progressing", reason = reason, message = message }
end

local function failure(status, conditions)
  if status.phase == "Degraded" then
    return { status = "Degraded", reason = "Degraded", message = status.message }
  end
  local invalid, progress = conditions.InvalidSpec, conditions.Progressing or {}
  if invalid ~= nil and invalid.status ~= "False" then
    return { status = "Degraded", reason = "InvalidSpec", message = invalid.message }
  elseif FAILURES[progress.reason] then
    return { status = "Degraded", reason = progress.reason, message = progress.message }
  elseif status.abort then
    return { status = "Degraded", reason = "RolloutAborted", message = status.message }
  end
end

-- Before 1.0 the observed generation was a hash of the spec, which says nothing here; one of digits only looks like a
-- generation, but a later one.
local function isStale(observed, generation)
  local digits = string.match(tostring(observed or ""), "^%d+$")
  return digits ~= nil and tonumber(generation) ~= nil and tonumber(digits) < tonumber(generation)
end

local function fromReplicas(spec, status, progress)
  local strategy = spec.strategy or {}
  local desired, updated = spec.replicas or 1, status.updatedReplicas or 0
  local steps = (strategy.canary or {}).steps or {}
  if spec.paused or status.controllerPause or progress.reason == "RolloutPaused" then
    return { status = "Suspended", reason = "RolloutPaused", message = progress.message or "Rollout is paused" }
  elseif updated < desired then
    return progressing("UpdatingReplicas", "more replicas need to be updated")
  elseif (status.availableReplicas or 0) < updated then
    return progressing("WaitingForAvailability", "updated replicas are still becoming available")
  elseif strategy.blueGreen ~= nil and (status.blueGreen or {}).activeSelector ~= status.currentPodHash then
    return progressing("WaitingForCutOver", "the active service does not serve the new version yet")
  elseif strategy.canary ~= nil and #steps > 0 and (status.currentStepIndex or 0) < #steps then
    return progressing("RunningSteps", "canary steps are still to be done")
  elseif strategy.canary ~= nil and (status.replicas or 0) > updated then
    return progressing("TerminatingReplicas", "old replicas are pending termination")
  end
  return { status = "Healthy", reason = progress.reason or "RolloutCompleted", message = progress.message }
end

function InterpretHealth(obj)
  local spec, status, metadata = obj.spec or {}, obj.status, obj.metadata or {}
  if status == nil then
    return progressing("NoStatus", "the controller has not reported yet")
  end
  local conditions = {}
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type ~= nil then
      conditions[condition.type] = condition
    end
  end
  local failed = failure(status, conditions)
  if failed ~= nil then
    return failed
  end
  local workload = (metadata.annotations or {})["rollout.argoproj.io/workload-generation"]
  if isStale(status.observedGeneration, metadata.generation) or isStale(status.workloadObservedGeneration, workload) then
    return progressing("StaleStatus", "the controller has not observed the latest change yet")
  elseif PHASES[status.phase] ~= nil then
    return { status = PHASES[status.phase], reason = status.phase, message = status.message }
  end
  return fromReplicas(spec, status, conditions.Progressing or {})
end
