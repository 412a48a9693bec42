-- Every member's Argo CD reports on its own copy of the application: the worst health and sync state stand.
local HEALTH = { Healthy = 1, Suspended = 2, Progressing = 3, Missing = 4, Degraded = 5, Unknown = 6 }
local SYNC = { Synced = 1, OutOfSync = 2, Unknown = 3 }
local OPERATION = { Succeeded = 1, Running = 2, Terminating = 3, Failed = 4, Error = 5 }

-- The worst value of a field and the messages of the members that have it; a member without it counts as `absent`.
local function worst(items, field, key, rank, absent)
  local value, messages = nil, {}
  for _, item in ipairs(items) do
    local part = (item.status or {})[field] or {}
    local own = rank[part[key]] ~= nil and part[key] or absent
    if own ~= nil and (value == nil or rank[own] > rank[value]) then
      value, messages = own, {}
    end
    if own ~= nil and own == value and part.message ~= nil and part.message ~= "" then
      messages[#messages + 1] = item.clusterName .. "=" .. part.message
    end
  end
  return value, #messages > 0 and table.concat(messages, ", ") or nil
end

local function latest(items, field, key)
  local time
  for _, item in ipairs(items) do
    local own = (item.status or {})[field]
    if key ~= nil then
      own = (own or {})[key]
    end
    if own ~= nil and (time == nil or own > time) then
      time = own
    end
  end
  return time
end

local function agreedRevision(items)
  local revision
  for index, item in ipairs(items) do
    local own = ((item.status or {}).sync or {}).revision
    if index > 1 and own ~= revision then
      return nil
    end
    revision = own
  end
  return revision
end

-- Conditions are errors and warnings; one stands while it is there, and has no status.
local function conditions(items)
  local joined, byType = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local kind = condition.type or ""
      local message = item.clusterName .. "=" .. (condition.message or "")
      local known = byType[kind]
      if known == nil then
        condition.message = message
        byType[kind] = condition
        joined[#joined + 1] = condition
      else
        known.message = known.message .. ", " .. message
        if (condition.lastTransitionTime or "") > (known.lastTransitionTime or "") then
          known.lastTransitionTime = condition.lastTransitionTime
        end
      end
    end
  end
  return #joined > 0 and joined or nil
end

function AggregateStatus(desired, items)
  items = items or {}
  local status = { conditions = conditions(items), reconciledAt = latest(items, "reconciledAt") }
  local health, healthMessage = worst(items, "health", "status", HEALTH, "Progressing")
  if health ~= nil then
    status.health = { status = health, message = healthMessage }
    status.sync = { status = worst(items, "sync", "status", SYNC, "Unknown"), revision = agreedRevision(items) }
  end
  local phase, message = worst(items, "operationState", "phase", OPERATION, nil)
  if phase ~= nil then
    status.operationState = { phase = phase, message = message, finishedAt = latest(items, "operationState", "finishedAt") }
  end
  desired.status = next(status) ~= nil and status or nil
  return desired
end
