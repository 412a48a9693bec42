-- Healthy is a finished rollout: as many updated pods as wanted, all of them available. A pause, a partition or the
-- strategy OnDelete holds a rollout back on purpose; else it is on its way, unless the controller says that it cannot
-- create or update pods.
local FAILURES = { FailedCreatePod = true, FailedUpdatePod = true }

local function failure(status)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.status == "True" and FAILURES[condition.type] then
      return condition
    end
  end
end

-- v1alpha1 has no count of available pods, there a ready one is available.
local function availableIn(obj)
  local status = obj.status
  local ready = obj.apiVersion == "apps.kruise.io/v1alpha1" and status.readyReplicas or nil
  return status.availableReplicas or status.updatedAvailableReplicas or ready
end

function InterpretHealth(obj)
  local spec, status = obj.spec, obj.status
  if status == nil then
    return { status = "Progressing", reason = "NoStatus", message = "waits for its controller" }
  end
  if spec == nil then
    return { status = "Unknown", reason = "NoSpec", message = "nothing says how many pods are wanted" }
  end
  local observed = (status.observedGeneration or 0) == ((obj.metadata or {}).generation or 0)
  local wanted = spec.replicas or 0
  local updated = status.updatedReplicas or status.updatedAvailableReplicas
  local available = availableIn(obj)
  local counted = updated ~= nil and available ~= nil
  updated, available = updated or 0, available or 0
  local healthy = observed and counted and updated >= wanted and available >= updated
  local function answer(word, reason, message)
    return { status = word, reason = reason, message = message, healthy = healthy }
  end
  local failed = not healthy and failure(status)
  if failed then
    return answer("Degraded", failed.reason or failed.type, failed.message)
  end
  if not observed then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  end
  local strategy = spec.updateStrategy or {}
  local rolling = strategy.rollingUpdate or {}
  if rolling.paused then
    return answer("Suspended", "Paused", "the rollout is paused")
  end
  if healthy then
    return answer("Healthy", "RolloutComplete", available .. " pods are available")
  end
  local progress = updated .. " of " .. wanted .. " pods are updated"
  if updated < wanted and available >= wanted then
    if strategy.type == "OnDelete" then
      return answer("Suspended", "OnDelete", progress .. ", the rest once they are deleted")
    end
    local kept = rolling.partition or 0
    if kept > 0 and updated >= wanted - kept then
      return answer("Suspended", "PartitionReached", progress .. ", the partition keeps the rest")
    end
  end
  if updated < wanted then
    return answer("Progressing", "PodsUpdating", progress)
  end
  return answer("Progressing", "PodsUnavailable", available .. " of " .. updated .. " pods are available")
end
