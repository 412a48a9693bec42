-- Rules are counted over all members, their conditions stand in one list; ready and what was generated are the last
-- member's. Without any answer from the members the template keeps its status.
local COUNTS = { "validate", "generate", "mutate", "verifyimages" }
local LAST = { "ready", "autogen", "validatingadmissionpolicy" }

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

function AggregateStatus(desired, items)
  if items == nil then
    return desired
  end
  local status = { rulecount = {} }
  for _, field in ipairs(COUNTS) do
    local sum = 0
    for _, item in ipairs(items) do
      sum = sum + (((item.status or {}).rulecount or {})[field] or 0)
    end
    status.rulecount[field] = sum
  end
  for _, field in ipairs(LAST) do
    for _, item in ipairs(items) do
      local value = (item.status or {})[field]
      if value ~= nil then
        status[field] = value
      end
    end
  end
  status.conditions = joined(items)
  desired.status = status
  return desired
end
