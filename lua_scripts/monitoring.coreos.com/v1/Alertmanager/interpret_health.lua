-- Reconciled tells whether the operator could apply the spec, Available whether pods are ready: False means that no
-- pod is, Degraded that some are missing, as in every rollout.
local function find(status, name)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == name then
      return condition
    end
  end
  return {}
end

-- The messages of several pods stand on lines of their own.
local function answer(status, condition)
  local first = string.match(condition.message or "", "^[^\n]*")
  return { status = status, reason = condition.reason, message = first }
end

local function stale(obj, condition)
  local generation, observed = (obj.metadata or {}).generation, condition.observedGeneration
  return generation ~= nil and observed ~= nil and observed < generation
end

function InterpretHealth(obj)
  local status = obj.status or {}
  local available, reconciled = find(status, "Available"), find(status, "Reconciled")
  if (obj.spec or {}).paused == true then
    return { status = "Suspended", reason = "Paused", message = "the operator leaves the object alone" }
  end
  if reconciled.status == "False" then
    return answer("Degraded", reconciled)
  end
  if stale(obj, available) or stale(obj, reconciled) then
    local outdated = "the operator has not looked at the latest change yet"
    return { status = "Progressing", reason = "StatusOutdated", message = outdated }
  end
  if available.status == "False" then
    return answer("Degraded", available)
  end
  if available.status == "True" and reconciled.status == "True" then
    return true
  end
  if available.status ~= nil and available.status ~= "True" then
    return answer("Progressing", available)
  end
  return { status = "Progressing", reason = "NotReported", message = "the operator has not reported both conditions yet" }
end
