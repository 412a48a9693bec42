-- Healthy is a finished rollout: as many updated pods as wanted, all of them available. Partitions of subsets hold a
-- rollout back on purpose; else it is on its way, unless a subset has failed.
local function failure(status)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "SubsetFailure" and condition.status == "True" then
      return condition
    end
  end
end

local function keptBy(partitions)
  local kept = 0
  for _, count in pairs(partitions or {}) do
    kept = kept + count
  end
  return kept
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
  local wanted, updated = spec.replicas or 0, status.updatedReplicas or 0
  -- The controller counts ready pods only; availableReplicas is what aggregation adds up.
  local available = status.availableReplicas or status.readyReplicas or 0
  local healthy = observed and status.updatedReplicas ~= nil and updated >= wanted and available >= updated
  local function answer(word, reason, message)
    return { status = word, reason = reason, message = message, healthy = healthy }
  end
  if (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  end
  local failed = not healthy and failure(status)
  if failed then
    return answer("Degraded", failed.reason or failed.type, failed.message)
  end
  if not observed then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  end
  if healthy then
    return answer("Healthy", "RolloutComplete", available .. " pods are available")
  end
  local progress = updated .. " of " .. wanted .. " pods are updated"
  local kept = keptBy(((spec.updateStrategy or {}).manualUpdate or {}).partitions)
  if kept > 0 and updated < wanted and updated >= wanted - kept and available >= wanted then
    return answer("Suspended", "PartitionReached", progress .. ", partitions keep the rest")
  end
  if updated < wanted then
    return answer("Progressing", "PodsUpdating", progress)
  end
  return answer("Progressing", "PodsUnavailable", available .. " of " .. updated .. " pods are available")
end
