-- Each member may have an ACME account of its own: what they do not have in common is left out.
local function answer(item, kind)
  for _, condition in ipairs((item.status or {}).conditions or {}) do
    if condition.type == kind then
      return condition
    end
  end
  return { status = "Unknown", reason = "NotReported", message = "not reported" }
end

-- False decides before Unknown, and Unknown before True. A condition is about the template's generation once
-- every member's is; until then it says what it said before.
local function merge(items, kind, generation, before)
  local rank, lowest, latest = { False = 1, True = 3 }, 4, ""
  local result, messages, current = { type = kind }, {}, true
  for _, item in ipairs(items) do
    local condition, status = answer(item, kind), item.status or {}
    local place, time = rank[condition.status] or 2, condition.lastTransitionTime or ""
    current = current and (status.generation or 0) == (condition.observedGeneration or 0)
      and (status.resourceTemplateGeneration or 0) == (generation or 0)
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
  result.observedGeneration = current and generation or answer({ status = before }, kind).observedGeneration
  return result
end

local function mergeConditions(items, generation, before)
  local seen, merged = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local kind = condition.type or ""
      if not seen[kind] then
        seen[kind] = true
        merged[#merged + 1] = merge(items, kind, generation, before)
      end
    end
  end
  return #merged > 0 and merged or nil
end

local function common(items, field)
  local value
  for index, item in ipairs(items) do
    local own = ((item.status or {}).acme or {})[field]
    if index > 1 and own ~= value then
      return nil
    end
    value = own
  end
  return value
end

function AggregateStatus(desired, items)
  items = items or {}
  local acme = {
    uri = common(items, "uri"),
    lastRegisteredEmail = common(items, "lastRegisteredEmail"),
    lastPrivateKeyHash = common(items, "lastPrivateKeyHash"),
  }
  local status = {
    acme = next(acme) and acme or nil,
    conditions = mergeConditions(items, (desired.metadata or {}).generation, desired.status),
  }
  desired.status = next(status) and status or nil
  return desired
end
