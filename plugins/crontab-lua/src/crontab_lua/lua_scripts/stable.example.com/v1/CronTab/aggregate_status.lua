-- The members' counters are summed; the conditions of all members stand in one list.
function AggregateStatus(obj, items)
  local active, conditions = 0, {}
  for _, item in ipairs(items or {}) do
    local status = item.status or {}
    active = active + (status.active or 0)
    for _, condition in ipairs(status.conditions or {}) do
      condition.message = item.clusterName .. ": " .. (condition.message or "")
      conditions[#conditions + 1] = condition
    end
  end
  obj.status = { active = active, conditions = conditions }
  return obj
end
