-- The members' conditions stand in one list. Failures are summed if the template has such a count, which it gets
-- while it is without members; texts are those of the last member with one, else what the template has.
local COUNTERS = { "failures", "installFailures", "upgradeFailures" }
local TEXTS = {
  "helmChart",
  "lastAppliedRevision",
  "lastAttemptedRevision",
  "lastAttemptedValuesChecksum",
  "lastReleaseRevision",
}

-- Conditions that agree in type, status and reason become one, whose message names the members.
local function joined(items)
  local conditions = {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local message = (item.clusterName or "") .. "=" .. (condition.message or "")
      local known
      for _, other in ipairs(conditions) do
        if other.type == condition.type and other.status == condition.status and other.reason == condition.reason then
          known = other
          break
        end
      end
      if known then
        known.message = known.message .. ", " .. message
      else
        condition.message = message
        conditions[#conditions + 1] = condition
      end
    end
  end
  return #conditions > 0 and conditions or nil
end

local function allObserved(items, generation)
  for _, item in ipairs(items) do
    local status = item.status or {}
    local current = (status.generation or 0) == (status.observedGeneration or 0)
    if not current or (status.resourceTemplateGeneration or 0) ~= generation then
      return false
    end
  end
  return true
end

function AggregateStatus(desired, items)
  -- A template without a generation counts as generation 0, and says so.
  desired.metadata = desired.metadata or {}
  local generation = desired.metadata.generation or 0
  desired.metadata.generation = generation
  local status = desired.status or {}
  desired.status = status
  if items == nil then
    for _, field in ipairs(TEXTS) do
      status[field] = ""
    end
  end
  for _, field in ipairs(COUNTERS) do
    if items == nil or status[field] ~= nil then
      status[field] = 0
    end
  end
  items = items or {}
  for _, item in ipairs(items) do
    local member = item.status or {}
    for _, field in ipairs(COUNTERS) do
      status[field] = status[field] and status[field] + (member[field] or 0)
    end
    for _, field in ipairs(TEXTS) do
      if member[field] ~= nil and member[field] ~= "" then
        status[field] = member[field]
      end
    end
  end
  status.conditions = joined(items)
  status.observedGeneration = allObserved(items, generation) and generation or status.observedGeneration or 0
  return desired
end
