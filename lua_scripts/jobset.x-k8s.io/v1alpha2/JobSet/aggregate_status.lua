-- The whole has failed with its first failed member, and is complete once every member is.
local rank = { True = -1, Unknown = 0, False = 1 }
local worseWhenTrue = { Failed = true, StartupPolicyInProgress = true }

local function find(item, name)
  for _, condition in ipairs((item.status or {}).conditions or {}) do
    if condition.type == name then
      return condition
    end
  end
  return { message = "not reported yet" }
end

-- The worst answer of the members; those that give it tell why.
local function mergeCondition(items, name)
  local merged, heaviest
  for _, item in ipairs(items) do
    local condition = find(item, name)
    local status = rank[condition.status] and condition.status or "Unknown"
    local weight = worseWhenTrue[name] and -rank[status] or rank[status]
    if merged == nil or weight > heaviest then
      merged, heaviest = { type = name, status = status, reason = condition.reason }, weight
    end
    if status == merged.status then
      if (condition.lastTransitionTime or "") > (merged.lastTransitionTime or "") then
        merged.lastTransitionTime = condition.lastTransitionTime
      end
      if (condition.message or "") ~= "" then
        local others = merged.message and merged.message .. ", " or ""
        merged.message = others .. item.clusterName .. "=" .. condition.message
      end
    end
  end
  return merged
end

local function mergeConditions(items)
  local merged, seen = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local name = condition.type
      if name ~= nil and not seen[name] then
        seen[name] = true
        merged[#merged + 1] = mergeCondition(items, name)
      end
    end
  end
  return merged
end

local function sum(items, field)
  local total = 0
  for _, item in ipairs(items) do
    total = total + ((item.status or {})[field] or 0)
  end
  return total
end

local counters = { "ready", "succeeded", "failed", "active", "suspended" }

local function mergeJobs(items)
  local jobs, known = {}, {}
  for _, item in ipairs(items) do
    for _, job in ipairs((item.status or {}).replicatedJobsStatus or {}) do
      local merged = known[job.name or ""]
      if merged == nil then
        merged = { name = job.name }
        known[job.name or ""] = merged
        jobs[#jobs + 1] = merged
      end
      for _, counter in ipairs(counters) do
        merged[counter] = (merged[counter] or 0) + (job[counter] or 0)
      end
    end
  end
  return jobs
end

local function terminalState(items)
  local completed = 0
  for _, item in ipairs(items) do
    local state = (item.status or {}).terminalState
    if state == "Failed" then
      return state
    end
    completed = completed + (state == "Completed" and 1 or 0)
  end
  return completed > 0 and completed == #items and "Completed" or nil
end

function AggregateStatus(desired, items)
  items = items or {}
  desired.status = {
    restarts = sum(items, "restarts"),
    restartsCountTowardsMax = sum(items, "restartsCountTowardsMax"),
    replicatedJobsStatus = mergeJobs(items),
    terminalState = terminalState(items),
    conditions = mergeConditions(items),
  }
  return desired
end
