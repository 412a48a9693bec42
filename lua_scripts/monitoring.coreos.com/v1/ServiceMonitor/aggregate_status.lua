-- Workloads of one name in several members are one binding. Nothing of a status is made up where no member has one.
local rank = { True = -1, Unknown = 0, False = 1 }

local function key(binding)
  return table.concat({ binding.resource or "", binding.namespace or "", binding.name or "" }, "/")
end

local function find(list, name)
  for _, condition in ipairs(list) do
    if condition.type == name then
      return condition
    end
  end
end

-- The worst answer of the members that have the binding; those that give it tell why.
local function join(merged, condition, cluster)
  local status = rank[condition.status] and condition.status or "Unknown"
  if merged.status == nil or rank[status] > rank[merged.status] then
    merged.status, merged.reason, merged.message, merged.lastTransitionTime = status, condition.reason, nil, nil
  end
  if status == merged.status then
    if (condition.lastTransitionTime or "") > (merged.lastTransitionTime or "") then
      merged.lastTransitionTime = condition.lastTransitionTime
    end
    if (condition.message or "") ~= "" then
      merged.message = (merged.message and merged.message .. ", " or "") .. cluster .. "=" .. condition.message
    end
  end
end

function AggregateStatus(desired, items)
  local bindings, known = {}, {}
  for _, item in ipairs(items or {}) do
    for _, binding in ipairs((item.status or {}).bindings or {}) do
      local merged = known[key(binding)]
      if merged == nil then
        merged = { group = binding.group, resource = binding.resource, name = binding.name, namespace = binding.namespace }
        merged.conditions = {}
        known[key(binding)] = merged
        bindings[#bindings + 1] = merged
      end
      for _, condition in ipairs(binding.conditions or {}) do
        local one = find(merged.conditions, condition.type)
        if one == nil then
          one = { type = condition.type }
          merged.conditions[#merged.conditions + 1] = one
        end
        join(one, condition, item.clusterName)
      end
    end
  end
  desired.status = #bindings > 0 and { bindings = bindings } or nil
  return desired
end
