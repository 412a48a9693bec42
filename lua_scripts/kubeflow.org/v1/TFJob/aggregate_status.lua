-- Each member trains a job of its own: counters are summed, one failure fails the whole, all must succeed.
-- Only the outcome becomes a condition, and the completion time stands only for success.
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

local function isTrue(status, kind)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == kind and condition.status == "True" then
      return true
    end
  end
  return false
end

-- An outcome that stands already keeps its times; else the status would change at every look.
local function outcome(old, kind, reason, message)
  local time = os.date("!%Y-%m-%dT%H:%M:%SZ")
  for _, condition in ipairs(old or {}) do
    if condition.type == kind and condition.message == message then
      time = condition.lastTransitionTime or time
    end
  end
  return {
    {
      type = kind,
      status = "True",
      reason = reason,
      message = message,
      lastProbeTime = time,
      lastTransitionTime = time,
    },
  }
end

function AggregateStatus(desired, items)
  local start, finish, reconciled
  local sums, failed, succeeded = {}, {}, 0
  for _, item in ipairs(items or {}) do
    local status = item.status or {}
    if isTrue(status, "Failed") then
      failed[#failed + 1] = item.clusterName
    elseif isTrue(status, "Succeeded") then
      succeeded = succeeded + 1
    end
    start = earliest(start, status.startTime)
    finish = latest(finish, status.completionTime)
    reconciled = latest(reconciled, status.lastReconcileTime)
    add(sums, status.replicaStatuses)
  end

  local isSucceeded = #failed == 0 and succeeded > 0 and succeeded == #items
  local status = desired.status or {}
  local old = status.conditions
  status.conditions = nil
  if #failed > 0 then
    local message = "TFJob executed failed in member clusters: " .. table.concat(failed, ", ")
    status.conditions = outcome(old, "Failed", "TFJobFailed", message)
  elseif isSucceeded then
    status.conditions = outcome(old, "Succeeded", "Completed", "TFJob completed successfully")
  end
  status.startTime = start
  status.completionTime = isSucceeded and finish or nil
  status.lastReconcileTime = reconciled or status.lastReconcileTime
  status.replicaStatuses = next(sums) ~= nil and sums or nil
  desired.status = next(status) ~= nil and status or nil
  return desired
end
