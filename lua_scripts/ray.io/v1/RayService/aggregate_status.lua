-- The empty service status means "not running", and one member that does not run makes the whole incomplete.
local ranks = { RUNNING = 1, NOT_STARTED = 2, DEPLOYING = 3, DELETING = 4, UNHEALTHY = 5, DEPLOY_FAILED = 6 }

local function rank(application)
  return ranks[application.status or ""] or 0
end

local function merged(service, other)
  if service == nil or other == nil then
    return service or other
  end
  for name, application in pairs(other.applicationStatuses or {}) do
    local applications = service.applicationStatuses or {}
    if applications[name] == nil or rank(application) > rank(applications[name]) then
      applications[name] = application
    end
    service.applicationStatuses = applications
  end
  return service
end

local function worse(one, other)
  if one == nil or other == nil then
    return one or other
  end
  if one == "" or other == "" then
    return ""
  end
  return other == "Running" and other or one
end

function AggregateStatus(desired, items)
  items = items or {}
  if #items == 1 then
    desired.status = items[1].status
    return desired
  end
  local status, conditions = { numServeEndpoints = 0, observedGeneration = 0 }, {}
  for _, item in ipairs(items) do
    local member = item.status or {}
    status.numServeEndpoints = status.numServeEndpoints + (member.numServeEndpoints or 0)
    status.observedGeneration = math.max(status.observedGeneration, member.observedGeneration or 0)
    status.serviceStatus = worse(status.serviceStatus, member.serviceStatus)
    status.activeServiceStatus = merged(status.activeServiceStatus, member.activeServiceStatus)
    status.pendingServiceStatus = merged(status.pendingServiceStatus, member.pendingServiceStatus)
    if (member.lastUpdateTime or "") > (status.lastUpdateTime or "") then
      status.lastUpdateTime = member.lastUpdateTime
    end
    for _, condition in ipairs(member.conditions or {}) do
      conditions[#conditions + 1] = condition
    end
  end
  if #conditions > 0 then
    status.conditions = conditions
  end
  desired.status = status
  return desired
end
