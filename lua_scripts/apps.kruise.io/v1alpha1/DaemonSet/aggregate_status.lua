-- Counters are summed; of hashes the last one counts, as members run the same template.
-- observedGeneration moves once every member has seen the current template.
local COUNTERS = {
  "currentNumberScheduled", "desiredNumberScheduled", "updatedNumberScheduled",
  "numberAvailable", "numberMisscheduled", "numberReady", "numberUnavailable",
}

function AggregateStatus(desired, items)
  local metadata = desired.metadata or {}
  local generation = metadata.generation or 0
  -- Whoever reads the template compares the two generations, so both are there.
  metadata.generation = generation
  -- v1beta1 renamed the field. It is a required text, so that even an unknown hash is one.
  local hash = desired.apiVersion == "apps.kruise.io/v1beta1" and "updateRevision" or "daemonSetHash"
  local status = desired.status or {}
  desired.status = status
  status[hash] = ""
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
  end
  local observed = true
  for _, item in ipairs(items or {}) do
    local member = item.status or {}
    for _, field in ipairs(COUNTERS) do
      status[field] = status[field] + (member[field] or 0)
    end
    if (member[hash] or "") ~= "" then
      status[hash] = member[hash]
    end
    observed = observed
      and (member.resourceTemplateGeneration or 0) == generation
      and (member.generation or 0) == (member.observedGeneration or 0)
  end
  status.observedGeneration = observed and generation or status.observedGeneration or 0
  return desired
end
