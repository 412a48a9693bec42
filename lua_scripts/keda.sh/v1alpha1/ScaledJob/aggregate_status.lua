-- One active member makes the whole active.
local AGREED = { "triggersTypes", "authenticationsTypes" }
local BAD = { Active = "True", Fallback = "True", Paused = "True" } -- of any other type: "False"

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
  return byStatus[BAD[kind] or "False"] or byStatus.Unknown or byStatus.True or byStatus.False
end

function AggregateStatus(desired, items)
  items = items or {}
  local status = {}
  local times = {}
  for _, item in ipairs(items) do
    table.insert(times, (item.status or {}).lastActiveTime)
  end
  table.sort(times)
  status.lastActiveTime = times[#times]
  for _, field in ipairs(AGREED) do
    status[field] = ((items[1] or {}).status or {})[field]
    for _, item in ipairs(items) do
      if (item.status or {})[field] ~= status[field] then
        status[field] = nil
      end
    end
  end
  local conditions, seen = {}, {}
  for _, item in ipairs(items) do
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
