-- Every member runs the whole by itself. Pods and steps are a member's own and left out, and so are the results of
-- several members.

-- The condition of a type for all members: the worst status stands, and the members that have it say why.
local function fold(items, kind, time)
  local byStatus = {}
  for _, item in ipairs(items) do
    local own = { type = kind, status = "Unknown", reason = "NotReported", lastTransitionTime = time }
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      own = condition.type == kind and condition.status and condition or own
    end
    own.message = (item.clusterName or "") .. "=" .. (own.message or own.reason or own.status)
    local first = byStatus[own.status] or own
    byStatus[own.status] = first
    if first ~= own then
      first.message = first.message .. ", " .. own.message
      if (own.lastTransitionTime or "") > (first.lastTransitionTime or "") then
        first.lastTransitionTime = own.lastTransitionTime
      end
    end
  end
  return byStatus.False or byStatus.Unknown or byStatus.True
end

function AggregateStatus(desired, items)
  items = items or {}
  local status = {}
  local starts, finishes = {}, {}
  for _, item in ipairs(items) do
    table.insert(starts, (item.status or {}).startTime)
    table.insert(finishes, (item.status or {}).completionTime)
  end
  table.sort(starts)
  table.sort(finishes)
  status.startTime = starts[1]
  status.completionTime = #finishes == #items and finishes[#finishes] or nil
  if #items == 1 then
    status.results = (items[1].status or {}).results
    status.pipelineResults = (items[1].status or {}).pipelineResults
  end
  local conditions, seen = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      if condition.type and not seen[condition.type] then
        seen[condition.type] = true
        conditions[#conditions + 1] = fold(items, condition.type, condition.lastTransitionTime)
      end
    end
  end
  status.conditions = #conditions > 0 and conditions or nil
  desired.status = status
  return desired
end
