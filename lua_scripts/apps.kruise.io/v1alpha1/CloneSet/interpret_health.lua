-- Healthy is a finished rollout: as many updated pods as wanted, all of them available. A pause or a partition holds
-- a rollout back on purpose; else it is on its way, unless the controller says that it cannot scale or update.
local FAILURES = { FailedScale = true, FailedUpdate = true }

local function failure(status)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.status == "True" and FAILURES[condition.type] then
      return condition
    end
  end
end

-- How many pods a partition keeps at the old revision: a number, or a share of the wanted ones, rounded up.
local function keptBy(partition, wanted)
  local percent = string.match(tostring(partition), "^(%d+)%%$")
  return percent and math.ceil(wanted * tonumber(percent) / 100) or tonumber(partition) or 0
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
  local available = status.availableReplicas or status.updatedAvailableReplicas
  local counted = updated ~= nil and available ~= nil
  updated, available = updated or 0, available or 0
  local healthy = observed and counted and updated >= wanted and available >= updated
  local function answer(word, reason, message)
    return { status = word, reason = reason, message = message, healthy = healthy }
  end
  local failed, strategy = not healthy and failure(status), spec.updateStrategy or {}
  if (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif failed then
    return answer("Degraded", failed.reason or failed.type, failed.message)
  elseif not observed then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  elseif strategy.paused then
    return answer("Suspended", "Paused", "the rollout is paused")
  elseif healthy then
    return answer("Healthy", "RolloutComplete", available .. " pods are available")
  end
  local progress = updated .. " of " .. wanted .. " pods are updated"
  local kept = keptBy(strategy.partition, wanted)
  if kept > 0 and updated < wanted and updated >= wanted - kept and available >= wanted then
    return answer("Suspended", "PartitionReached", progress .. ", the partition keeps the rest")
  end
  if updated < wanted then
    return answer("Progressing", "PodsUpdating", progress)
  end
  return answer("Progressing", "PodsUnavailable", available .. " of " .. updated .. " pods are available")
end
