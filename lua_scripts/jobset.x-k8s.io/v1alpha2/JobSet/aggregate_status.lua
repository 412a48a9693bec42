-- The whole has failed with its first failed member, and is complete once every member is: conditions say it.
local COUNTERS = { "ready", "succeeded", "failed", "active", "suspended" }
local BAD = { Failed = "True", StartupPolicyInProgress = "True" } -- of any other type: "False"

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
  return byStatus[BAD[kind] or "False"] or byStatus.Unknown or byStatus.True or byStatus.False
end

-- Jobs of one name are one job, whose counters are summed.
local function sumJobs(items)
  local jobs, byName = {}, {}
  for _, item in ipairs(items) do
    for _, job in ipairs((item.status or {}).replicatedJobsStatus or {}) do
      local name = job.name or ""
      if byName[name] == nil then
        byName[name] = { name = name }
        jobs[#jobs + 1] = byName[name]
      end
      for _, field in ipairs(COUNTERS) do
        byName[name][field] = (byName[name][field] or 0) + (job[field] or 0)
      end
    end
  end
  return #jobs > 0 and jobs or nil
end

function AggregateStatus(desired, items)
  items = items or {}
  local status = { restarts = 0, replicatedJobsStatus = sumJobs(items) }
  local conditions, seen = {}, {}
  for _, item in ipairs(items) do
    status.restarts = status.restarts + ((item.status or {}).restarts or 0)
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
