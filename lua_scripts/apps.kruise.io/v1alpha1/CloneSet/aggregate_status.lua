-- Counters are summed; of revisions and selectors the last one counts, as members run the same template.
local COUNTERS = {
  "replicas", "readyReplicas", "availableReplicas", "updatedReplicas", "updatedReadyReplicas",
  "expectedUpdatedReplicas",
}
local TEXTS = { "currentRevision", "updateRevision", "labelSelector" }

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
  -- A template without a generation counts as generation 0, and says so.
  desired.metadata = desired.metadata or {}
  local generation = desired.metadata.generation or 0
  desired.metadata.generation = generation
  local status = desired.status or {}
  desired.status = status
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
    for _, item in ipairs(items or {}) do
      status[field] = status[field] + ((item.status or {})[field] or 0)
    end
  end
  -- Without any list of members nothing is known about texts, and they stay.
  for _, field in ipairs(TEXTS) do
    status[field] = items ~= nil and "" or status[field]
    for _, item in ipairs(items or {}) do
      local text = (item.status or {})[field] or ""
      status[field] = text ~= "" and text or status[field]
    end
  end
  status.observedGeneration = allObserved(items or {}, generation) and generation or status.observedGeneration or 0
  return desired
end
