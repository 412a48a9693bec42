-- Counters are summed; a condition of one type is that of the last member that has it, in order of first appearance.
-- observedGeneration moves once every member has a status and has seen the current template.
local COUNTERS = { "replicas", "readyReplicas", "availableReplicas", "unavailableReplicas", "updatedReplicas" }

local function merge(conditions, places, more)
  for _, condition in ipairs(more or {}) do
    local kind = condition.type or ""
    places[kind] = places[kind] or #conditions + 1
    conditions[places[kind]] = condition
  end
end

function AggregateStatus(desired, items)
  local metadata = desired.metadata or {}
  local generation = metadata.generation or 0
  -- Whoever reads the template compares the two generations, so both are there.
  metadata.generation = generation
  local status = desired.status or {}
  desired.status = status
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
  end
  local observed, conditions, places = true, {}, {}
  for _, item in ipairs(items or {}) do
    local member = item.status or {}
    for _, field in ipairs(COUNTERS) do
      status[field] = status[field] + (member[field] or 0)
    end
    if (member.currentRevision or "") ~= "" then
      status.currentRevision = member.currentRevision
    end
    merge(conditions, places, member.conditions)
    observed = observed
      and item.status ~= nil
      and (member.resourceTemplateGeneration or 0) == generation
      and (member.generation or 0) == (member.observedGeneration or 0)
  end
  if #conditions > 0 then
    status.conditions = conditions
  end
  status.observedGeneration = observed and generation or status.observedGeneration or 0
  return desired
end
