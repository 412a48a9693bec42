-- Each member trains a job of its own: counters are summed, one failure fails the whole, all must succeed.
-- Only the outcome becomes a condition, and the completion time stands only for success.
local COUNTERS = { "active", "succeeded", "failed" }

-- An outcome that stands already keeps its times; else the status would change at every look.
local function outcome(old, kind, reason, message)
  local time = os.date("!%Y-%m-%dT%H:%M:%SZ")
  for _, condition in ipairs(old or {}) do
    if condition.type == kind and condition.message == message then
      time = condition.lastTransitionTime or time
    end
  end
  local condition = { type = kind, status = "True", reason = reason, message = message }
  condition.lastProbeTime, condition.lastTransitionTime = time, time
  return { condition }
end

function AggregateStatus(desired, items)
  local starts, finishes, reconciled, sums, failed, succeeded = {}, {}, {}, {}, {}, 0
  for _, item in ipairs(items or {}) do
    local member, seen = item.status or {}, {}
    for _, condition in ipairs(member.conditions or {}) do
      seen[condition.type or ""] = condition.status == "True" or seen[condition.type or ""]
    end
    if seen.Failed then
      failed[#failed + 1] = item.clusterName
    elseif seen.Succeeded then
      succeeded = succeeded + 1
    end
    table.insert(starts, member.startTime)
    table.insert(finishes, member.completionTime)
    table.insert(reconciled, member.lastReconcileTime)
    for kind, counts in pairs(member.replicaStatuses or {}) do
      for _, name in ipairs(COUNTERS) do
        if (counts[name] or 0) > 0 then
          sums[kind] = sums[kind] or {}
          sums[kind][name] = (sums[kind][name] or 0) + counts[name]
        end
      end
    end
  end
  table.sort(starts)
  table.sort(finishes)
  table.sort(reconciled)
  local isSucceeded = succeeded > 0 and succeeded == #items
  local status, conditions = desired.status or {}, nil
  if #failed > 0 then
    local message = "TFJob executed failed in member clusters: " .. table.concat(failed, ", ")
    conditions = outcome(status.conditions, "Failed", "TFJobFailed", message)
  elseif isSucceeded then
    conditions = outcome(status.conditions, "Succeeded", "Completed", "TFJob completed successfully")
  end
  status.conditions = conditions
  status.startTime, status.completionTime = starts[1], isSucceeded and finishes[#finishes] or nil
  status.lastReconcileTime = reconciled[#reconciled] or status.lastReconcileTime
  status.replicaStatuses = next(sums) ~= nil and sums or nil
  desired.status = next(status) ~= nil and status or nil
  return desired
end
