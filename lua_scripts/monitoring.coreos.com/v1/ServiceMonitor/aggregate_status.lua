-- Workloads of one name are one binding, judged by the members that have it. Observed generations of conditions are
-- about a member's object and left out. Without any binding there is no status.

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
  return byStatus.False or byStatus.Unknown or byStatus.True
end

local function foldAll(items)
  local conditions, seen = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      condition.observedGeneration = nil
      if condition.type and not seen[condition.type] then
        seen[condition.type] = true
        conditions[#conditions + 1] = fold(items, condition.type, condition.lastTransitionTime)
      end
    end
  end
  return conditions
end

local function key(binding)
  return table.concat({ binding.resource or "", binding.namespace or "", binding.name or "" }, "/")
end

function AggregateStatus(desired, items)
  local bindings, members = {}, {}
  for _, item in ipairs(items or {}) do
    for _, binding in ipairs((item.status or {}).bindings or {}) do
      local having = members[key(binding)] or {}
      if #having == 0 then
        members[key(binding)] = having
        bindings[#bindings + 1] = binding
      end
      having[#having + 1] = { clusterName = item.clusterName, status = { conditions = binding.conditions } }
    end
  end
  for _, binding in ipairs(bindings) do
    binding.conditions = foldAll(members[key(binding)])
  end
  desired.status = #bindings > 0 and { bindings = bindings } or nil
  return desired
end
