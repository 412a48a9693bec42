-- The whole is valid while every member's certificate is: from the latest notBefore to the earliest notAfter.
-- Issuing is a sign: it holds for the whole while one member issues, and a member that does not show it does
-- not issue.
local SIGNS = { Issuing = true }

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

-- The worst answer decides: False (of a sign: True), then Unknown, then the other. A condition is about the
-- template's generation once every member's is; until then it says what it said before.
local function merge(items, kind, generation, before)
  local rank = SIGNS[kind] and { True = 1, False = 3 } or { False = 1, True = 3 }
  local result, messages, lowest, latest, current = { type = kind }, {}, 4, "", true
  for _, item in ipairs(items) do
    local condition, status = answer(item, kind), item.status or {}
    if condition then
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
  end
  result.message = table.concat(messages, ", ")
  result.lastTransitionTime = latest ~= "" and latest or nil
  local old = answer({ status = before }, kind) or {}
  result.observedGeneration = current and generation or old.observedGeneration
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

-- The latest (or earliest) time, once every member has one.
local function bound(items, field, latest)
  local result
  for _, item in ipairs(items) do
    local time = (item.status or {})[field]
    if not time then
      return nil
    end
    if not result or (time > result) == latest then
      result = time
    end
  end
  return result
end

function AggregateStatus(desired, items)
  items = items or {}
  local attempts, lastFailure = 0, ""
  for _, item in ipairs(items) do
    local status = item.status or {}
    attempts = attempts + (status.failedIssuanceAttempts or 0)
    local failure = status.lastFailureTime or ""
    lastFailure = failure > lastFailure and failure or lastFailure
  end
  desired.status = {
    conditions = mergeConditions(items, (desired.metadata or {}).generation, desired.status),
    failedIssuanceAttempts = attempts,
    lastFailureTime = lastFailure ~= "" and lastFailure or nil,
    notBefore = bound(items, "notBefore", true),
    notAfter = bound(items, "notAfter", false),
    renewalTime = bound(items, "renewalTime", false),
  }
  return desired
end
