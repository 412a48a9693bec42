-- Rules are counted over all members, their conditions stand in one list; ready and what was generated are the last
-- member's. Without any answer from the members the template keeps its status.
local COUNTERS = { "validate", "generate", "mutate", "verifyimages" }
local LAST = { "ready", "autogen", "validatingadmissionpolicy" }

-- Conditions that agree in type, status and reason become one, whose message names the members.
local function joined(items)
  local conditions, known = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local key = tostring(condition.type) .. "/" .. tostring(condition.status) .. "/" .. tostring(condition.reason)
      condition.message = (item.clusterName or "") .. "=" .. (condition.message or "")
      if known[key] then
        known[key].message = known[key].message .. ", " .. condition.message
      else
        known[key] = condition
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
  local status, rules = {}, {}
  for _, field in ipairs(COUNTERS) do
    rules[field] = 0
    for _, item in ipairs(items) do
      rules[field] = rules[field] + (((item.status or {}).rulecount or {})[field] or 0)
    end
  end
  for _, field in ipairs(LAST) do
    for _, item in ipairs(items) do
      local value = (item.status or {})[field]
      if value ~= nil then
        status[field] = value
      end
    end
  end
  status.rulecount = rules
  status.conditions = joined(items)
  desired.status = status
  return desired
end
