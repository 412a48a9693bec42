-- As many ready game servers as wanted, all of the new version; a pause, a partition or the strategy OnDelete holds an
-- update back on purpose.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

local function kept(partition, wanted)
  local percent = string.match(tostring(partition or 0), "^(%d+)%%$")
  return percent and math.ceil(wanted * tonumber(percent) / 100) or tonumber(partition) or 0
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local spec, status, generation = obj.spec or {}, obj.status, (obj.metadata or {}).generation or 0
  if status == nil then
    return answer("Progressing", "NoStatus", "the controller has not reported yet")
  end
  local strategy, wanted, ready = spec.updateStrategy or {}, spec.replicas or 0, status.readyReplicas or 0
  local rolling, updated = strategy.rollingUpdate or {}, status.updatedReadyReplicas or status.updatedReplicas or ready
  local held = kept(rolling.partition, wanted)
  local progress = updated .. " of " .. wanted .. " game servers are updated"
  if (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  elseif rolling.paused then
    return answer("Suspended", "Paused", "the update is paused")
  elseif ready < wanted then
    return answer("Progressing", "NotReady", ready .. " of " .. wanted .. " game servers are ready")
  elseif updated < wanted and strategy.type == "OnDelete" then
    return answer("Suspended", "OnDelete", progress .. ", the rest once they are deleted")
  elseif updated < wanted and held > 0 and updated >= wanted - held then
    return answer("Suspended", "PartitionReached", progress .. ", the partition keeps the rest")
  elseif updated < wanted or (status.replicas or wanted) > wanted then
    return answer("Progressing", "Updating", progress)
  end
  return answer("Healthy", "Ready", ready .. " of " .. wanted .. " game servers are ready")
end
