-- Ready says that the service has endpoints, also while an upgrade goes on beside it.
-- v1alpha1 has no conditions: there the service status tells.
local broken = { UNHEALTHY = true, DEPLOY_FAILED = true }

local function failure(service)
  for name, application in pairs((service or {}).applicationStatuses or {}) do
    if broken[application.status or ""] then
      return name .. ": " .. (application.message or application.status)
    end
  end
  return nil
end

local function assess(obj)
  local status = obj.status or {}
  local ready, last = false, {}
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "Ready" then
      ready = ready or condition.status == "True"
      last = condition
    end
  end
  if obj.apiVersion == "ray.io/v1alpha1" then
    ready = status.serviceStatus == "Running"
  end
  local why = failure(status.activeServiceStatus)
  if why then
    return { status = "Degraded", reason = "ApplicationFailed", message = why, healthy = ready }
  end
  if not ready then
    local message = last.message or failure(status.pendingServiceStatus) or "the service is not ready yet"
    return { status = "Progressing", reason = last.reason or "NotReady", message = message, healthy = false }
  end
  if (status.observedGeneration or 0) < ((obj.metadata or {}).generation or 0) then
    local message = "the controller has not seen the last change yet"
    return { status = "Progressing", reason = "StaleStatus", message = message, healthy = true }
  end
  return { status = "Healthy", reason = last.reason, message = last.message }
end

-- A deletion changes nothing about the boolean.
function InterpretHealth(obj)
  local health = assess(obj)
  if not (obj.metadata or {}).deletionTimestamp then
    return health
  end
  local healthy = health.healthy
  if healthy == nil then
    healthy = health.status == "Healthy" or health.status == "Suspended" or nil
  end
  return { status = "Progressing", reason = "Terminating", message = "deletion was requested", healthy = healthy }
end
