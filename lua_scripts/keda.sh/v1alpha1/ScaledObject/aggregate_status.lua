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

-- Only the members that give a count: an absent one means that the target was never scaled (or paused).
local function sum(items, field)
  local total
  for _, item in ipairs(items) do
    local count = (item.status or {})[field]
    total = count and (total or 0) + count or total
  end
  return total
end

local function union(items, field)
  local seen, names = {}, {}
  for _, item in ipairs(items) do
    for _, name in ipairs((item.status or {})[field] or {}) do
      if not seen[name] then
        seen[name] = true
        names[#names + 1] = name
      end
    end
  end
  return #names > 0 and names or nil
end

-- One member that cannot read a metric makes the metric fail.
local function mergeHealth(items)
  local metrics = {}
  for _, item in ipairs(items) do
    for name, health in pairs((item.status or {}).health or {}) do
      local metric = metrics[name] or { numberOfFailures = 0 }
      metric.numberOfFailures = metric.numberOfFailures + (health.numberOfFailures or 0)
      metric.status = metric.status == "Failing" and metric.status or health.status
      metrics[name] = metric
    end
  end
  return next(metrics) and metrics or nil
end

function AggregateStatus(desired, items)
  items = items or {}
  local kind = common(items, "scaleTargetKind")
  local status = {
    conditions = mergeConditions(items),
    health = mergeHealth(items),
    lastActiveTime = latest(items, "lastActiveTime"),
    originalReplicaCount = sum(items, "originalReplicaCount"),
    pausedReplicaCount = sum(items, "pausedReplicaCount"),
    externalMetricNames = union(items, "externalMetricNames"),
    resourceMetricNames = union(items, "resourceMetricNames"),
    scaleTargetKind = kind,
    scaleTargetGVKR = kind and items[1].status.scaleTargetGVKR,
  }
  for _, field in ipairs({ "compositeScalerName", "hpaName", "triggersTypes", "authenticationsTypes" }) do
    status[field] = common(items, field)
  end
  desired.status = next(status) and status or nil
  return desired
end
