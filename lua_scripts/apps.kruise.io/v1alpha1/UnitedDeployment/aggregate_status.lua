-- Counters are summed; a condition of one type is that of the last member that has it, in order of first appearance.
-- A member without a status has observed nothing.
local COUNTERS = { "replicas", "readyReplicas", "availableReplicas", "unavailableReplicas", "updatedReplicas" }
local TEXTS = { "currentRevision" }

local function allObserved(items, generation)
  local all = true
  for _, item in ipairs(items) do
    local status = item.status or {}
    local current = (status.generation or 0) == (status.observedGeneration or 0)
    all = all and item.status ~= nil and current and (status.resourceTemplateGeneration or 0) == generation
  end
  return all
end

function AggregateStatus(desired, items)
  items = items or {}
  -- A template without a generation counts as generation 0, and says so.
  desired.metadata = desired.metadata or {}
  local generation = desired.metadata.generation or 0
  desired.metadata.generation = generation
  local status = desired.status or {}
  desired.status = status
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
    for _, item in ipairs(items) do
      status[field] = status[field] + ((item.status or {})[field] or 0)
    end
  end
  for _, field in ipairs(TEXTS) do
    for _, item in ipairs(items) do
      local text = (item.status or {})[field] or ""
      status[field] = text ~= "" and text or status[field]
    end
  end
  local conditions, places = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local kind = condition.type or ""
      places[kind] = places[kind] or #conditions + 1
      conditions[places[kind]] = condition
    end
  end
  status.conditions = #conditions > 0 and conditions or status.conditions
  status.observedGeneration = allObserved(items, generation) and generation or status.observedGeneration or 0
  return desired
end
