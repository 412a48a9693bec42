-- Healthy is an updated and available pod on every wanted node. A pause, a partition or the strategy OnDelete holds a
-- rollout back on purpose. The controller has no conditions: an updated pod that does not become available is broken.

-- How many pods a partition keeps at the old revision: a number, or a share of the wanted ones, rounded up.
local function keptBy(partition, wanted)
  local percent = string.match(tostring(partition), "^(%d+)%%$")
  return percent and math.ceil(wanted * tonumber(percent) / 100) or tonumber(partition) or 0
end

function InterpretHealth(obj)
  local status = obj.status
  if status == nil then
    return { status = "Progressing", reason = "NoStatus", message = "waits for its controller" }
  end
  local observed = (status.observedGeneration or 0) == ((obj.metadata or {}).generation or 0)
  local wanted, updated = status.desiredNumberScheduled or 0, status.updatedNumberScheduled or 0
  local available = status.numberAvailable or 0
  local healthy = observed and updated >= wanted and available >= updated
  local function answer(word, reason, message)
    return { status = word, reason = reason, message = message, healthy = healthy }
  end
  if (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  end
  if not observed then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  end
  local strategy = (obj.spec or {}).updateStrategy or {}
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
    local kept = keptBy(rolling.partition, wanted)
    if kept > 0 and updated >= wanted - kept then
      return answer("Suspended", "PartitionReached", progress .. ", the partition keeps the rest")
    end
  end
  if updated < wanted then
    return answer("Progressing", "PodsUpdating", progress)
  end
  return answer("Degraded", "PodsUnavailable", available .. " of " .. updated .. " updated pods are available")
end
