-- Ready is the sum of the configuration's and the route's conditions. A failure of an older generation still counts:
-- the controller reports it until a newer revision is ready.
local function find(status, name)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == name then
      return condition
    end
  end
  return {}
end

local function answer(status, condition)
  return { status = status, reason = condition.reason, message = condition.message }
end

local function stale(obj)
  local generation = (obj.metadata or {}).generation
  local observed = (obj.status or {}).observedGeneration
  return generation ~= nil and observed ~= nil and observed < generation
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local ready = find(obj.status or {}, "Ready")
  if ready.status == "False" then
    return answer("Degraded", ready)
  end
  if stale(obj) then
    local outdated = "the controller has not looked at the latest change yet"
    return { status = "Progressing", reason = "StatusOutdated", message = outdated }
  end
  if ready.status == "True" then
    return answer("Healthy", ready)
  end
  return {
    status = "Progressing",
    reason = ready.reason or "NotReported",
    message = ready.message or "the controller has not reported Ready yet",
  }
end
