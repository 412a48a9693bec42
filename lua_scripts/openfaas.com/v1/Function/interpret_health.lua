-- Ready means that deployment and service are as wanted, Healthy that a replica can answer. A reconciled function
-- without replicas rests until it is called; Stalled is what waits for a correction, such as a missing secret.
local function answer(status, condition, reason, message)
  return { status = status, reason = reason or condition.reason or condition.type, message = message or condition.message }
end

function InterpretHealth(obj)
  local status, metadata, found = obj.status or {}, obj.metadata or {}, {}
  for _, condition in ipairs(status.conditions or {}) do
    found[condition.type or ""] = condition
  end
  local ready, healthy, stalled = found.Ready or {}, found.Healthy or {}, found.Stalled or {}
  if stalled.status == "True" then
    return answer("Degraded", stalled)
  elseif metadata.deletionTimestamp then
    return answer("Progressing", ready, "Terminating", "deletion was requested")
  elseif (ready.observedGeneration or math.huge) < (metadata.generation or 0) then
    return answer("Progressing", ready, "StaleStatus", "the conditions are of an older generation")
  elseif ready.status ~= "True" then
    return answer("Progressing", ready, ready.reason or "NotReady", ready.message or "not reconciled yet")
  elseif healthy.status == "False" and (status.replicas or 0) == 0 then
    return answer("Suspended", healthy, "ScaledToZero", "no replica runs until the function is called")
  elseif healthy.status and healthy.status ~= "True" then
    return answer("Progressing", healthy, "NoReplicaAvailable", "no replica is available yet")
  end
  return answer("Healthy", healthy.type and healthy or ready)
end
