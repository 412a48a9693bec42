-- The model's transition tells more than Ready: an old model still serves while a new one cannot be loaded, and
-- Ready is False both before a first load and after a failed one.
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
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status = obj.status or {}
  local model, ready, stopped = status.modelStatus or {}, find(status, "Ready"), find(status, "Stopped")
  local failure, transition = model.lastFailureInfo or {}, model.transitionStatus
  if stopped.status == "True" then
    local message = stopped.message or "the service is stopped by annotation"
    return { status = "Suspended", reason = "Stopped", message = message }
  end
  if transition == "BlockedByFailedLoad" or transition == "InvalidSpec" then
    return { status = "Degraded", reason = failure.reason or transition, message = failure.message or ready.message }
  end
  if ready.status == "False" and transition ~= "InProgress" then
    return { status = "Degraded", reason = ready.reason, message = ready.message }
  end
  if stale(obj) then
    local outdated = "the controller has not looked at the latest change yet"
    return { status = "Progressing", reason = "StatusOutdated", message = outdated }
  end
  if ready.status == "True" and transition ~= "InProgress" then
    return true
  end
  return {
    status = "Progressing",
    reason = ready.reason or transition or "NotReported",
    message = ready.message or "the model is not loaded yet",
  }
end
