-- The counts of pods are summed; a member without a status has injected nothing yet.
function AggregateStatus(desired, items)
  local status = { matchedPods = 0, readyPods = 0, updatedPods = 0 }
  for _, item in ipairs(items or {}) do
    local member = item.status or {}
    status.matchedPods = status.matchedPods + (member.matchedPods or 0)
    status.readyPods = status.readyPods + (member.readyPods or 0)
    status.updatedPods = status.updatedPods + (member.updatedPods or 0)
  end
  desired.status = status
  return desired
end
