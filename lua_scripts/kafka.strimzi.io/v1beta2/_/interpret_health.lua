-- A rebalance reports its state as a condition's type, others Ready or NotReady, node pools only what is theirs. Strimzi
-- does not report on what is being deleted, so its last word stands, though the deletion made a new generation.
local STATES = {
  PendingProposal = "Progressing", Rebalancing = "Progressing", ProposalReady = "Suspended", Stopped = "Suspended",
  ReconciliationPaused = "Suspended", NotReady = "Degraded", Ready = "Healthy",
}
local RANK = { Healthy = 1, Progressing = 2, Suspended = 3, Degraded = 4 }
local CONNECTOR = { FAILED = "Degraded", PAUSED = "Suspended", STOPPED = "Suspended" }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

local function judge(condition)
  local word = STATES[condition.type or ""]
  if word and condition.status == "True" then
    local creating = word == "Degraded" and condition.reason == "Creating"
    return answer(creating and "Progressing" or word, condition.reason or condition.type, condition.message)
  elseif condition.type == "Ready" and condition.status == "False" then
    return answer("Degraded", condition.reason or "NotReady", condition.message)
  end
end

function InterpretHealth(obj)
  local status, metadata, worst = obj.status or {}, obj.metadata or {}, nil
  local generation, connector = metadata.generation or 0, status.connectorStatus or {}
  for _, condition in ipairs(status.conditions or {}) do
    local found = judge(condition)
    if found and (not worst or RANK[found.status] > RANK[worst.status]) then
      worst = found
    end
  end
  local state = (connector.connector or {}).state or ""
  for _, task in ipairs(connector.tasks or {}) do
    state = task.state == "FAILED" and task.state or state
  end
  if worst and worst.status == "Degraded" then
    return worst
  elseif CONNECTOR[state] then
    return answer(CONNECTOR[state], state, "the connector or one of its tasks is " .. state)
  elseif not metadata.deletionTimestamp and (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StatusOutdated", "the operator has not looked at the latest change yet")
  elseif not worst and status.nodeIds then
    return answer("Healthy", "NodesKnown", "the health of nodes is told by their Kafka cluster")
  end
  return worst or answer("Progressing", "NotReported", "the operator has not reported Ready yet")
end
