-- One member speaks for itself. Of many, counters are summed and of each condition type the newest one stands; a condition
-- without any time cannot be compared and is passed over.
local function earliest(a, b)
  return (a == nil or (b ~= nil and b < a)) and b or a
end

local function latest(a, b)
  return (a == nil or (b ~= nil and b > a)) and b or a
end

local function add(sums, replicaStatuses)
  for kind, counts in pairs(replicaStatuses or {}) do
    local sum = sums[kind] or { active = 0, succeeded = 0, failed = 0 }
    for name, count in pairs(sum) do
      sum[name] = count + (counts[name] or 0)
    end
    sums[kind] = sum
  end
end

local function newest(conditions, places, condition)
  local time = condition.lastUpdateTime or condition.lastTransitionTime
  if time == nil or condition.type == nil then
    return
  end
  local place = places[condition.type]
  if place == nil then
    place = { index = #conditions + 1, time = "" }
    places[condition.type] = place
  end
  if time > place.time then
    conditions[place.index] = condition
    place.time = time
  end
end

function AggregateStatus(desired, items)
  items = items or {}
  if #items == 0 then
    desired.status = nil
    return desired
  elseif #items == 1 then
    desired.status = items[1].status
    return desired
  end

  local merged, sums, conditions, places = {}, {}, {}, {}
  for _, item in ipairs(items) do
    local status = item.status or {}
    merged.startTime = earliest(merged.startTime, status.startTime)
    merged.completionTime = latest(merged.completionTime, status.completionTime)
    merged.lastReconcileTime = latest(merged.lastReconcileTime, status.lastReconcileTime)
    add(sums, status.replicaStatuses)
    for _, condition in ipairs(status.conditions or {}) do
      newest(conditions, places, condition)
    end
  end
  merged.replicaStatuses = next(sums) ~= nil and sums or nil
  merged.conditions = #conditions > 0 and conditions or nil
  desired.status = next(merged) ~= nil and merged or nil
  return desired
end
