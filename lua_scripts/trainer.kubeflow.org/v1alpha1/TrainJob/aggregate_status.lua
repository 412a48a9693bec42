-- Each member trains a job of its own: child jobs are summed by name, one failure fails the whole, all must complete.
local COUNTERS = { "ready", "succeeded", "failed", "active", "suspended" }

local function latest(a, b)
  return (a == nil or (b ~= nil and b > a)) and b or a
end

local function jobs(items)
  local sums, byName = {}, {}
  for _, item in ipairs(items) do
    for _, job in ipairs((item.status or {}).jobsStatus or {}) do
      local name = job.name or ""
      if byName[name] == nil then
        byName[name] = { name = name }
        sums[#sums + 1] = byName[name]
      end
      for _, counter in ipairs(COUNTERS) do
        byName[name][counter] = (byName[name][counter] or 0) + (job[counter] or 0)
      end
    end
  end
  return #sums > 0 and sums or nil
end

local function conditionOf(item, kind)
  for _, condition in ipairs((item.status or {}).conditions or {}) do
    if condition.type == kind then
      local truth = condition.status
      return condition, (truth == "True" or truth == "False") and truth or "Unknown"
    end
  end
  return { reason = "NotReported", message = "not reported" }, "Unknown"
end

-- The CRD asks for a reason, a message and a time in each condition, also where a member decides that has none.
local function fold(items, kind)
  local byTruth, transition = {}, nil
  for _, item in ipairs(items) do
    local condition, truth = conditionOf(item, kind)
    local message = item.clusterName .. "=" .. (condition.message or "")
    local folded = byTruth[truth]
    if folded == nil then
      folded = { type = kind, status = truth, reason = condition.reason or kind, message = message }
      byTruth[truth] = folded
    else
      folded.message = folded.message .. ", " .. message
    end
    folded.lastTransitionTime = latest(folded.lastTransitionTime, condition.lastTransitionTime)
    transition = latest(transition, condition.lastTransitionTime)
  end
  local worst, best = "False", "True"
  if kind ~= "Complete" then
    worst, best = best, worst
  end
  local folded = byTruth[worst] or byTruth.Unknown or byTruth[best]
  folded.lastTransitionTime = folded.lastTransitionTime or transition
  return folded
end

function AggregateStatus(desired, items)
  items = items or {}
  local conditions, seen = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      if condition.type ~= nil and not seen[condition.type] then
        seen[condition.type] = true
        conditions[#conditions + 1] = fold(items, condition.type)
      end
    end
  end
  local status = { jobsStatus = jobs(items), conditions = #conditions > 0 and conditions or nil }
  desired.status = next(status) ~= nil and status or nil
  return desired
end
