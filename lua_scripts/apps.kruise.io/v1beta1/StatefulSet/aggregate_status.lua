-- Counters are summed; of revisions the last one counts, as members run the same template.
local COUNTERS = {
  "replicas", "readyReplicas", "availableReplicas", "currentReplicas", "updatedReplicas", "updatedReadyReplicas",
}
local TEXTS = { "currentRevision", "updateRevision" }

local function allObserved(items, generation)
  local all = true
  for _, item in ipairs(items) do
    local status = item.status or {}
    local current = (status.generation or 0) == (status.observedGeneration or 0)
    all = all and current and (status.resourceTemplateGeneration or 0) == generation
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
    status[field] = ""
    for _, item in ipairs(items) do
      local text = (item.status or {})[field] or ""
      status[field] = text ~= "" and text or status[field]
    end
  end
  status.observedGeneration = allObserved(items, generation) and generation or status.observedGeneration or 0
  return desired
end
