-- Reconciled tells whether the operator could apply the spec, Available whether pods are ready: False means that no
-- pod is,
-- which is a failure unless they are being created, Degraded that some are missing, as in every rollout.
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

-- Pods are still to be created or replaced, or none says more than that its init containers are not done.
local function starting(spec, status, available)
  local wanted, pods = (spec.replicas or 1), status.replicas or 0
  local initializing = true
  for line in string.gmatch(available.message or "", "[^\n]+") do
    initializing = initializing and string.find(line, "incomplete status", 1, true) ~= nil
  end
  return initializing or pods < wanted or (status.updatedReplicas or 0) < pods
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local spec, status = obj.spec or {}, obj.status or {}
  local available, reconciled = find(status, "Available"), find(status, "Reconciled")
  if spec.paused == true then
    return { status = "Suspended", reason = "Paused", message = "the operator leaves the object alone" }
  elseif reconciled.status == "False" then
    return answer("Degraded", reconciled)
  elseif stale(obj, available) or stale(obj, reconciled) then
    local outdated = "the operator has not looked at the latest change yet"
    return { status = "Progressing", reason = "StatusOutdated", message = outdated }
  elseif available.status == "False" and not starting(spec, status, available) then
    return answer("Degraded", available)
  elseif available.status == "True" and reconciled.status == "True" then
    return true
  elseif available.status ~= nil and available.status ~= "True" then
    return answer("Progressing", available)
  end
  local missing = "the operator has not reported both conditions yet"
  return { status = "Progressing", reason = "NotReported", message = missing }
end
