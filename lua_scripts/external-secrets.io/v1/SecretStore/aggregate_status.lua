-- A store is ready where every member could validate it.
local function answer(item, kind)
  for _, condition in ipairs((item.status or {}).conditions or {}) do
    if condition.type == kind then
      return condition
    end
  end
  return { status = "Unknown", reason = "NotReported", message = "not reported" }
end

-- The worst answer decides: False, then Unknown, then True.
local function merge(items, kind)
  local rank, lowest, latest = { False = 1, True = 3 }, 4, ""
  local result, messages = { type = kind }, {}
  for _, item in ipairs(items) do
    local condition = answer(item, kind)
    local place, time = rank[condition.status] or 2, condition.lastTransitionTime or ""
    if place < lowest then
      lowest, latest, messages = place, "", {}
      result.status, result.reason = place == 2 and "Unknown" or condition.status, condition.reason
    end
    if place == lowest then
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

function AggregateStatus(desired, items)
  items = items or {}
  local status = { conditions = mergeConditions(items), capabilities = common(items, "capabilities") }
  desired.status = next(status) and status or nil
  return desired
end
