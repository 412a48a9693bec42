-- The operator reports either Ready or NotReady, and NotReady with the reason Creating until its first rollout is
-- done. Warnings do not make a cluster unhealthy.
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
  local ready, notReady, paused = find(status, "Ready"), find(status, "NotReady"), find(status, "ReconciliationPaused")
  if paused.status == "True" then
    local message = paused.message or "reconciliation is paused by annotation"
    return { status = "Suspended", reason = "ReconciliationPaused", message = message }
  end
  if notReady.status == "True" or ready.status == "False" then
    local word = notReady.reason == "Creating" and "Progressing" or "Degraded"
    return { status = word, reason = notReady.reason or ready.reason, message = notReady.message or ready.message }
  end
  if stale(obj) then
    local outdated = "the operator has not looked at the latest change yet"
    return { status = "Progressing", reason = "StatusOutdated", message = outdated }
  end
  if ready.status == "True" then
    return true
  end
  return { status = "Progressing", reason = "NotReported", message = "the operator has not reported Ready yet" }
end
