-- Most members report nothing, for Istio writes a status only where that is switched on.
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

-- A finding of the analysis counts once, wherever it was made.
local function findings(items)
  local seen, found = {}, {}
  for _, item in ipairs(items) do
    for _, message in ipairs((item.status or {}).validationMessages or {}) do
      local code = (message.type or {}).code or message.code or ""
      local key = code .. "/" .. (message.level or "") .. "/" .. (message.message or "")
      if not seen[key] then
        seen[key] = true
        found[#found + 1] = message
      end
    end
  end
  return #found > 0 and found or nil
end

function AggregateStatus(desired, items)
  items = items or {}
  local generation = (desired.metadata or {}).generation
  local observed = generation
  for _, item in ipairs(items) do
    local own = item.status or {}
    if (own.resourceTemplateGeneration or 0) ~= (generation or 0)
      or (own.generation or 0) ~= (tonumber(own.observedGeneration or "") or 0) then
      observed = (desired.status or {}).observedGeneration
    end
  end
  local status = {
    conditions = mergeConditions(items),
    validationMessages = findings(items),
    observedGeneration = observed,
  }
  desired.status = next(status) and status or nil
  return desired
end
