-- Active, Fallback and Paused are signs: one member is enough, and a member that does not show them has none.
local SIGNS = { Active = true, Fallback = true, Paused = true }

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

-- A text that all members agree on.
local function common(items, field)
  local value
  for index, item in ipairs(items) do
    local own = (item.status or {})[field]
    if index > 1 and own ~= value then
      return nil
    end
    value = own
  end
  return value
end

local function latest(items, field)
  local newest = ""
  for _, item in ipairs(items) do
    local time = (item.status or {})[field] or ""
    newest = time > newest and time or newest
  end
  return newest ~= "" and newest or nil
end

function AggregateStatus(desired, items)
  items = items or {}
  local status = {
    conditions = mergeConditions(items),
    lastActiveTime = latest(items, "lastActiveTime"),
    triggersTypes = common(items, "triggersTypes"),
    authenticationsTypes = common(items, "authenticationsTypes"),
  }
  desired.status = next(status) and status or nil
  return desired
end
