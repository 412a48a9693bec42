-- Gardener sums up a shoot in a label: the last operation, the constraints and the conditions. Without it they are
-- looked at here. Hibernation is a rest on purpose, once the cluster has come to it.
local LABELS = { healthy = "Healthy", progressing = "Progressing", unhealthy = "Degraded", unknown = "Unknown" }
local TRUTHS = { True = "Healthy", Progressing = "Progressing", False = "Degraded", Unknown = "Unknown" }
local OPERATIONS = { Error = "Degraded", Failed = "Degraded", Aborted = "Degraded", Succeeded = "Healthy" }
local RANK = { Healthy = 1, Unknown = 2, Progressing = 3, Degraded = 4 }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

local function sumUp(status)
  local operation, lastError = status.lastOperation, (status.lastErrors or {})[1] or {}
  if operation == nil then
    return answer("Progressing", "NoOperation", "Gardener has not begun with it yet")
  end
  local state = operation.state or "Pending"
  local text = state ~= "Succeeded" and lastError.description or operation.description
  local worst = answer(OPERATIONS[state] or "Progressing", state, text)
  for _, condition in ipairs(status.conditions or {}) do
    local word = TRUTHS[condition.status] or "Unknown"
    if RANK[word] > RANK[worst.status] then
      worst = answer(word, condition.reason or condition.type, condition.message)
    end
  end
  return worst
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status, metadata, hibernation = obj.status or {}, obj.metadata or {}, (obj.spec or {}).hibernation or {}
  local found, generation = sumUp(status), metadata.generation or 0
  local word = LABELS[(metadata.labels or {})["shoot.gardener.cloud/status"]]
  if word and word ~= found.status then
    found = answer(word, "StatusLabel", "Gardener calls the cluster " .. metadata.labels["shoot.gardener.cloud/status"])
  end
  if found.status == "Degraded" then
    return found
  elseif (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  elseif hibernation.enabled and found.status ~= "Progressing" then
    return answer("Suspended", "Hibernated", "the cluster is hibernated")
  end
  return found
end
