-- Each member runs a cluster of its own, so names are left out. Words tell failures from work under way.
local COUNTERS = { "instances", "readyInstances" }
local FAILURES = { "unrecoverable", "invalid", "cannot", "Unable to", "Failing over" }

-- The condition of a type for all members: the worst status stands, and the members that have it say why.
local function fold(items, kind, time)
  local byStatus = {}
  for _, item in ipairs(items) do
    local own = { type = kind, status = "Unknown", reason = "NotReported", lastTransitionTime = time }
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      own = condition.type == kind and condition.status and condition or own
    end
    own.message = (item.clusterName or "") .. "=" .. (own.message or own.reason or own.status)
    local first = byStatus[own.status] or own
    byStatus[own.status] = first
    if first ~= own then
      first.message = first.message .. ", " .. own.message
      if (own.lastTransitionTime or "") > (first.lastTransitionTime or "") then
        first.lastTransitionTime = own.lastTransitionTime
      end
    end
  end
  return byStatus.False or byStatus.Unknown or byStatus.True
end

local function rank(phase)
  for _, words in ipairs(FAILURES) do
    if string.find(phase, words, 1, true) then
      return 3
    end
  end
  return phase == "Cluster in healthy state" and 1 or 2
end

function AggregateStatus(desired, items)
  items = items or {}
  local status = {}
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
    for _, item in ipairs(items) do
      status[field] = status[field] + ((item.status or {})[field] or 0)
    end
  end
  local conditions, seen = {}, {}
  for _, item in ipairs(items) do
    local phase = (item.status or {}).phase or "Setting up primary"
    if status.phase == nil or rank(phase) > rank(status.phase) then
      status.phase, status.phaseReason = phase, (item.status or {}).phaseReason
    end
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      if condition.type and not seen[condition.type] then
        seen[condition.type] = true
        conditions[#conditions + 1] = fold(items, condition.type, condition.lastTransitionTime)
      end
    end
  end
  status.conditions = #conditions > 0 and conditions or nil
  desired.status = status
  return desired
end
