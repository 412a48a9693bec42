-- Counters are summed; of revisions and selectors the last one counts, as members run the same template.
-- observedGeneration moves once every member has seen the current template.
local COUNTERS = {
  "replicas", "readyReplicas", "availableReplicas", "updatedReplicas", "updatedReadyReplicas",
  "expectedUpdatedReplicas",
}
local TEXTS = { "currentRevision", "updateRevision", "labelSelector" }

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
  -- Without any list of members nothing is known about texts, and they stay.
  for _, field in ipairs(items ~= nil and TEXTS or {}) do
    status[field] = ""
  end
  local observed = true
  for _, item in ipairs(items or {}) do
    local member = item.status or {}
    for _, field in ipairs(COUNTERS) do
      status[field] = status[field] + (member[field] or 0)
    end
    for _, field in ipairs(TEXTS) do
      if (member[field] or "") ~= "" then
        status[field] = member[field]
      end
    end
    observed = observed
      and (member.resourceTemplateGeneration or 0) == generation
      and (member.generation or 0) == (member.observedGeneration or 0)
  end
  status.observedGeneration = observed and generation or status.observedGeneration or 0
  return desired
end
