-- Every member runs the whole by itself: it has succeeded once all of them have. What lives in one member
-- (pods, task runs, steps) is left out.
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

-- Results that every member reports with the same text; lists and objects are not compared.
local function common(items, field)
  local counts, kept = {}, {}
  for _, item in ipairs(items) do
    for _, result in ipairs((item.status or {})[field] or {}) do
      if type(result.value) == "string" then
        local key = (result.name or "") .. "=" .. result.value
        counts[key] = (counts[key] or 0) + 1
        if counts[key] == #items then
          kept[#kept + 1] = result
        end
      end
    end
  end
  return #kept > 0 and kept or nil
end

function AggregateStatus(desired, items)
  items = items or {}
  local started, completed, ended = nil, "", 0
  for _, item in ipairs(items) do
    local own = item.status or {}
    if own.startTime and (not started or own.startTime < started) then
      started = own.startTime
    end
    if own.completionTime then
      ended = ended + 1
      completed = own.completionTime > completed and own.completionTime or completed
    end
  end
  local status = {
    conditions = mergeConditions(items),
    startTime = started,
    completionTime = ended > 0 and ended == #items and completed or nil,
    results = common(items, "results"),
    taskResults = common(items, "taskResults"),
  }
  desired.status = next(status) and status or nil
  return desired
end
