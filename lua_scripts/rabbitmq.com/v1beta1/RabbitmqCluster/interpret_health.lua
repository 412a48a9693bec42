-- ReconcileSuccess is False when what the operator did failed, such as on a configuration that RabbitMQ refuses; pods and
-- endpoints just take their time. Warnings do not make a cluster unhealthy.
local GOALS = { "ReconcileSuccess", "ClusterAvailable", "AllReplicasReady" }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

function InterpretHealth(obj)
  local status, metadata, found = obj.status or {}, obj.metadata or {}, {}
  local generation = metadata.generation or 0
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type then
      found[condition.type] = condition
    end
  end
  local reconciled = found.ReconcileSuccess or {}
  if (metadata.labels or {})["rabbitmq.com/pauseReconciliation"] == "true" then
    return answer("Suspended", "ReconciliationPaused", "the label rabbitmq.com/pauseReconciliation is true")
  elseif reconciled.status == "False" then
    return answer("Degraded", reconciled.reason or "ReconcileFailed", reconciled.message)
  elseif metadata.deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  end
  for _, goal in ipairs(GOALS) do
    local condition = found[goal] or {}
    if condition.status ~= "True" then
      return answer("Progressing", condition.reason or "NotReported", condition.message or goal .. " is not reported yet")
    end
  end
  return answer("Healthy", found.AllReplicasReady.reason or "AllReplicasReady", reconciled.message)
end
