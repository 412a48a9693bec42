-- Deleted is a sign: one member is enough, and a member that does not show it has its Secret.
-- syncedResourceVersion is about each member's own object and left out.
local SIGNS = { Deleted = true }

local function answer(item, kind)
  for _, condition in ipairs((item.status or {}).conditions or {}) do
    if condition.type == kind then
      return condition
    end
  end
  if not (SIGNS[kind] and item.status) then
    return { status = "Unknown", reason = "NotReported", message = "not reported" }
  end
end

-- The worst answer decides: False (of a sign: True), then Unknown, then the other.
local function merge(items, kind)
  local rank = SIGNS[kind] and { True = 1, False = 3 } or { False = 1, True = 3 }
  local result, messages, lowest, latest = { type = kind }, {}, 4, ""
  for _, item in ipairs(items) do
    local condition = answer(item, kind)
    local place = condition and (rank[condition.status] or 2) or 5
    if place < lowest then
      lowest, latest, messages = place, "", {}
      result.status, result.reason = place == 2 and "Unknown" or condition.status, condition.reason
    end
    if place == lowest then
      local time = condition.lastTransitionTime or ""
      local text = condition.message or condition.reason or "Unknown"
      messages[#messages + 1] = (item.clusterName or "") .. "=" .. text
      latest = time > latest and time or latest
    end
  end
  result.message = table.concat(messages, ", ")
  result.lastTransitionTime = latest ~= "" and latest or nil
  return result
end

local function mergeConditions(items)
  local seen, merged = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local kind = condition.type or ""
      if not seen[kind] then
        seen[kind] = true
        merged[#merged + 1] = merge(items, kind)
      end
    end
  end
  return #merged > 0 and merged or nil
end

-- The earliest refresh: so fresh is the whole, once every member has one.
local function oldestRefresh(items)
  local oldest
  for _, item in ipairs(items) do
    local time = (item.status or {}).refreshTime
    if not time then
      return nil
    end
    oldest = (not oldest or time < oldest) and time or oldest
  end
  return oldest
end

-- The Secret that was written, where all members wrote one of the same name.
local function binding(items)
  local name
  for index, item in ipairs(items) do
    local own = ((item.status or {}).binding or {}).name
    if index > 1 and own ~= name then
      return nil
    end
    name = own
  end
  return name and { name = name }
end

function AggregateStatus(desired, items)
  items = items or {}
  local status = { conditions = mergeConditions(items), refreshTime = oldestRefresh(items), binding = binding(items) }
  desired.status = next(status) and status or nil
  return desired
end
