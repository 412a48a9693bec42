-- Healthy is a finished rollout: as many updated pods as wanted, all of them available. A pause, a partition or the
-- strategy OnDelete holds a rollout back on purpose; else it is on its way, unless pods cannot be created or updated.
local FAILURES = { FailedCreatePod = true, FailedUpdatePod = true }

local function failure(status)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.status == "True" and FAILURES[condition.type] then
      return condition
    end
  end
end

function InterpretHealth(obj)
  local spec, status = obj.spec, obj.status
  if status == nil then
    return { status = "Progressing", reason = "NoStatus", message = "waits for its controller" }
  end
  if spec == nil then
    return { status = "Unknown", reason = "NoSpec", message = "nothing says how many pods are wanted" }
  end
  -- v1alpha1 has no count of available pods, there a ready one is available.
  local ready = obj.apiVersion == "apps.kruise.io/v1alpha1" and status.readyReplicas or nil
  local observed = (status.observedGeneration or 0) == ((obj.metadata or {}).generation or 0)
  local wanted, updated = spec.replicas or 0, status.updatedReplicas or status.updatedAvailableReplicas
  local available = status.availableReplicas or status.updatedAvailableReplicas or ready
  local counted = updated ~= nil and available ~= nil
  updated, available = updated or 0, available or 0
  local healthy = observed and counted and updated >= wanted and available >= updated
  local function answer(word, reason, message)
    return { status = word, reason = reason, message = message, healthy = healthy }
  end
  local failed, strategy = not healthy and failure(status), spec.updateStrategy or {}
  local rolling, held = strategy.rollingUpdate or {}, updated < wanted and available >= wanted
  local progress, kept = updated .. " of " .. wanted .. " pods are updated", rolling.partition or 0
  if (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif failed then
    return answer("Degraded", failed.reason or failed.type, failed.message)
  elseif not observed then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  elseif rolling.paused then
    return answer("Suspended", "Paused", "the rollout is paused")
  elseif healthy then
    return answer("Healthy", "RolloutComplete", available .. " pods are available")
  elseif held and strategy.type == "OnDelete" then
    return answer("Suspended", "OnDelete", progress .. ", the rest once they are deleted")
  elseif held and kept > 0 and updated >= wanted - kept then
    return answer("Suspended", "PartitionReached", progress .. ", the partition keeps the rest")
  elseif updated < wanted then
    return answer("Progressing", "PodsUpdating", progress)
  end
  return answer("Progressing", "PodsUnavailable", available .. " of " .. updated .. " pods are available")
end
