-- Older topic operators report NotReady, newer ones Ready with the status False. A topic that is not managed any
-- more is left alone on purpose. Moving replicas to other brokers goes on while the topic is ready.
local function find(status, name)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == name then
      return condition
    end
  end
  return {}
end

local function stale(obj)
  local generation = (obj.metadata or {}).generation
  local observed = (obj.status or {}).observedGeneration
  return generation ~= nil and observed ~= nil and observed < generation
end

function InterpretHealth(obj)
  local status = obj.status or {}
  local ready, notReady, change = find(status, "Ready"), find(status, "NotReady"), status.replicasChange or {}
  for _, name in ipairs({ "ReconciliationPaused", "Unmanaged" }) do
    if find(status, name).status == "True" then
      local message = find(status, name).message or "the operator leaves the topic alone"
      return { status = "Suspended", reason = name, message = message }
    end
  end
  if notReady.status == "True" or ready.status == "False" then
    return { status = "Degraded", reason = notReady.reason or ready.reason, message = notReady.message or ready.message }
  end
  if stale(obj) then
    local outdated = "the operator has not looked at the latest change yet"
    return { status = "Progressing", reason = "StatusOutdated", message = outdated }
  end
  if change.state ~= nil then
    local message = change.message or "the number of replicas is being changed"
    return { status = "Progressing", reason = "ReplicasChange", message = message }
  end
  if ready.status == "True" then
    return true
  end
  return { status = "Progressing", reason = "NotReported", message = "the operator has not reported Ready yet" }
end
