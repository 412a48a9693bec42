-- Progressing tells the latest rollout: False failed, Unknown waits for its deployer pod, True goes on until the new
-- replication controller is available. Too few pods are a failure unless a rollout is at work on them.
local function answer(status, condition, reason, message)
  condition = condition or {}
  return { status = status, reason = condition.reason or reason, message = condition.message or message }
end

local function isStale(status, metadata)
  return (status.observedGeneration or 0) < (metadata.generation or 0)
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local spec, status, conditions = obj.spec or {}, obj.status, {}
  if status == nil then
    return answer("Progressing", nil, "NoStatus", "the controller has not reported yet")
  end
  for _, condition in ipairs(status.conditions or {}) do
    conditions[condition.type or ""] = condition
  end
  local progress, available, failure = conditions.Progressing, conditions.Available, conditions.ReplicaFailure
  local truth, wanted = (progress or {}).status, spec.replicas or 0
  local count = status.availableReplicas or 0
  if failure and failure.status == "True" then
    return answer("Degraded", failure, "ReplicaFailure")
  elseif truth == "False" then
    return answer("Degraded", progress, "RolloutFailed")
  elseif spec.paused then
    return answer("Suspended", nil, "Paused", "rollouts are paused")
  elseif isStale(status, obj.metadata or {}) then
    return answer("Progressing", nil, "StaleStatus", "the status is of an older generation")
  elseif status.latestVersion == 0 then
    return answer("Suspended", nil, "NotTriggered", "waits for a change that starts the first rollout")
  elseif truth == "True" and progress.reason ~= "NewReplicationControllerAvailable" then
    return answer("Progressing", progress, "RolloutInProgress")
  elseif available and available.status == "False" then
    return answer("Degraded", available, "Unavailable")
  elseif truth ~= "True" then
    return answer("Progressing", progress, "RolloutPending", "no rollout has ended yet")
  elseif count < wanted then
    return answer("Progressing", nil, "PodsUnavailable", count .. " of " .. wanted .. " pods are available")
  end
  return answer("Healthy", progress, "Available")
end
