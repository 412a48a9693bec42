-- Healthy is the latest sidecar in every matched pod, also where no pod matches. A pause, a partition or the strategy
-- NotUpdate leaves pods as they are on purpose. Whether the pods are ready is for their own workloads to say.

-- How many pods a partition keeps at the old revision: a number, or a share of the matched ones, rounded up.
local function keptBy(partition, matched)
  local percent = string.match(tostring(partition), "^(%d+)%%$")
  return percent and math.ceil(matched * tonumber(percent) / 100) or tonumber(partition) or 0
end

function InterpretHealth(obj)
  local status = obj.status
  if status == nil then
    return { status = "Progressing", reason = "NoStatus", message = "waits for its controller" }
  end
  local matched, updated = status.matchedPods or 0, status.updatedPods or 0
  local healthy = matched == 0 or updated == matched
  local function answer(word, reason, message)
    return { status = word, reason = reason, message = message, healthy = healthy }
  end
  if (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  end
  local generation = (obj.metadata or {}).generation or 0
  if (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  end
  local strategy = (obj.spec or {}).updateStrategy or {}
  if strategy.paused then
    return answer("Suspended", "Paused", "the update of pods is paused")
  end
  local progress = updated .. " of " .. matched .. " pods are updated"
  if healthy then
    return answer("Healthy", "PodsUpdated", progress)
  end
  if strategy.type == "NotUpdate" then
    return answer("Suspended", "NotUpdate", progress .. ", the rest once they are created anew")
  end
  local kept = keptBy(strategy.partition, matched)
  if kept > 0 and updated >= matched - kept then
    return answer("Suspended", "PartitionReached", progress .. ", the partition keeps the rest")
  end
  return answer("Progressing", "PodsUpdating", progress)
end
