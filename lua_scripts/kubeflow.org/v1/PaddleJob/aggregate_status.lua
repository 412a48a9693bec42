-- Each member trains a job of its own: counters are summed, one failure fails the whole, all must succeed.
-- The completion time stands only for success, as the operator's clients take it for that.
local function earliest(a, b)
  return (a == nil or (b ~= nil and b < a)) and b or a
end

local function latest(a, b)
  return (a == nil or (b ~= nil and b > a)) and b or a
end

local function add(sums, replicaStatuses)
  for kind, counts in pairs(replicaStatuses or {}) do
    for _, name in ipairs({ "active", "succeeded", "failed" }) do
      local count = counts[name] or 0
      if count > 0 then
        sums[kind] = sums[kind] or {}
        sums[kind][name] = (sums[kind][name] or 0) + count
      end
    end
  end
end

local function condition(kind, status, message, transition, update)
  return {
    type = kind,
    status = status,
    reason = "PaddleJob" .. kind,
    message = message,
    lastTransitionTime = transition,
    lastUpdateTime = update,
  }
end

function AggregateStatus(desired, items)
  local start, finish, reconciled, created, running
  local sums, failed, succeeded = {}, {}, 0
  for _, item in ipairs(items or {}) do
    local status = item.status or {}
    local seen = {}
    for _, entry in ipairs(status.conditions or {}) do
      if entry.type == "Running" then
        running = entry
      elseif entry.status == "True" and entry.type ~= nil then
        seen[entry.type] = true
      end
    end
    if seen.Failed then
      failed[#failed + 1] = item.clusterName
    elseif seen.Succeeded then
      succeeded = succeeded + 1
    end
    created = created or seen.Created
    start = earliest(start, status.startTime)
    finish = latest(finish, status.completionTime)
    reconciled = latest(reconciled, status.lastReconcileTime)
    add(sums, status.replicaStatuses)
  end

  local isFailed = #failed > 0
  local isSucceeded = not isFailed and succeeded > 0 and succeeded == #items
  local conditions = {}
  if created then
    conditions[1] = condition("Created", "True", "PaddleJob is created.", start, start)
  end
  if running ~= nil then
    local truth = (isFailed or isSucceeded) and "False" or "True"
    conditions[#conditions + 1] =
      condition("Running", truth, "PaddleJob is running.", running.lastTransitionTime, running.lastUpdateTime)
  end
  if isFailed then
    local message = "PaddleJob executed failed in member clusters: " .. table.concat(failed, ", ")
    conditions[#conditions + 1] = condition("Failed", "True", message, finish, finish)
  elseif isSucceeded then
    conditions[#conditions + 1] = condition("Succeeded", "True", "PaddleJob is successfully completed.", finish, finish)
  end

  local status = desired.status or {}
  status.startTime = start
  status.completionTime = isSucceeded and finish or nil
  status.lastReconcileTime = reconciled or status.lastReconcileTime
  status.replicaStatuses = next(sums) ~= nil and sums or nil
  status.conditions = #conditions > 0 and conditions or nil
  desired.status = next(status) ~= nil and status or nil
  return desired
end
