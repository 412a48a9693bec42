-- Each member trains a job of its own: one failure fails the whole, all must succeed. Success alone has an end.
local COUNTERS = { "active", "succeeded", "failed" }

local function make(kind, status, message, transition, update)
  local made = { type = kind, status = status, reason = "PyTorchJob" .. kind, message = "PyTorchJob " .. message }
  made.lastTransitionTime, made.lastUpdateTime = transition, update
  return made
end

function AggregateStatus(desired, items)
  local starts, finishes, reconciled, sums, failed = {}, {}, {}, {}, {}
  local succeeded, created, running = 0, nil, nil
  for _, item in ipairs(items or {}) do
    local member, seen = item.status or {}, {}
    for _, condition in ipairs(member.conditions or {}) do
      seen[condition.type or ""] = condition.status == "True" or seen[condition.type or ""]
      running = condition.type == "Running" and condition or running
    end
    if seen.Failed then
      failed[#failed + 1] = item.clusterName
    end
    created, succeeded = created or seen.Created, succeeded + (seen.Succeeded and 1 or 0)
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
  local start, finish = starts[1], finishes[#finishes]
  local isSucceeded = #failed == 0 and succeeded > 0 and succeeded == #items
  local conditions = { created and make("Created", "True", "is created.", start, start) or nil }
  if running then
    local truth = (#failed > 0 or isSucceeded) and "False" or "True"
    local transition, update = running.lastTransitionTime, running.lastUpdateTime
    conditions[#conditions + 1] = make("Running", truth, "is running.", transition, update)
  end
  if #failed > 0 then
    local message = "executed failed in member clusters: " .. table.concat(failed, ", ")
    conditions[#conditions + 1] = make("Failed", "True", message, finish, finish)
  elseif isSucceeded then
    conditions[#conditions + 1] = make("Succeeded", "True", "is successfully completed.", finish, finish)
  end
  local status = desired.status or {}
  status.startTime, status.completionTime = start, isSucceeded and finish or nil
  status.lastReconcileTime = reconciled[#reconciled] or status.lastReconcileTime
  status.replicaStatuses = next(sums) ~= nil and sums or nil
  status.conditions = #conditions > 0 and conditions or nil
  desired.status = next(status) ~= nil and status or nil
  return desired
end
