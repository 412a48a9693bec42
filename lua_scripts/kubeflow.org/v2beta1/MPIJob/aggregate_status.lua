-- One member speaks for itself. Of many, counters are summed, and of each condition type the newest one stands; one
-- without any time cannot be compared and is passed over.
local function newest(items)
  local conditions, places, times = {}, {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local kind, time = condition.type, condition.lastUpdateTime or condition.lastTransitionTime
      if kind and time and time > (times[kind] or "") then
        places[kind] = places[kind] or #conditions + 1
        conditions[places[kind]], times[kind] = condition, time
      end
    end
  end
  return #conditions > 0 and conditions or nil
end

local function add(sums, replicaStatuses)
  for kind, counts in pairs(replicaStatuses or {}) do
    sums[kind] = sums[kind] or { active = 0, succeeded = 0, failed = 0 }
    for _, name in ipairs({ "active", "succeeded", "failed" }) do
      sums[kind][name] = sums[kind][name] + (counts[name] or 0)
    end
  end
end

function AggregateStatus(desired, items)
  items = items or {}
  if #items < 2 then
    desired.status = (items[1] or {}).status
    return desired
  end
  local starts, finishes, reconciled, sums = {}, {}, {}, {}
  for _, item in ipairs(items) do
    local member = item.status or {}
    table.insert(starts, member.startTime)
    table.insert(finishes, member.completionTime)
    table.insert(reconciled, member.lastReconcileTime)
    add(sums, member.replicaStatuses)
  end
  table.sort(starts)
  table.sort(finishes)
  table.sort(reconciled)
  local status = { startTime = starts[1], completionTime = finishes[#finishes], conditions = newest(items) }
  status.lastReconcileTime = reconciled[#reconciled]
  status.replicaStatuses = next(sums) ~= nil and sums or nil
  desired.status = next(status) ~= nil and status or nil
  return desired
end
