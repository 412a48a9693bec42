-- The counts of pods are summed; a member without a status has injected nothing yet.
local COUNTERS = { "matchedPods", "readyPods", "updatedPods" }

function AggregateStatus(desired, items)
  items = items or {}
  local status = {}
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
    for _, item in ipairs(items) do
      status[field] = status[field] + ((item.status or {})[field] or 0)
    end
  end
  desired.status = status
  return desired
end
