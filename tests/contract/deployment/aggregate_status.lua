local counters = {
  "replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas",
}

function AggregateStatus(obj, items)
  local generation = obj.metadata.generation or 0
  local sums, observed = {}, true
  for _, item in ipairs(items or {}) do
    local status = item.status
    if status == nil then
      observed = false
    else
      for _, name in ipairs(counters) do
        sums[name] = (sums[name] or 0) + (status[name] or 0)
      end
      observed = observed
        and (status.observedGeneration or 0) >= (status.generation or 0)
        and (status.resourceTemplateGeneration or 0) >= generation
    end
  end
  local new = obj.status or {}
  local changed = false
  for _, name in ipairs(counters) do
    local sum = sums[name] or 0
    if (new[name] or 0) ~= sum then
      changed = true
    end
    if sum == 0 then
      new[name] = nil
    else
      new[name] = sum
    end
  end
  if observed and (new.observedGeneration or 0) ~= generation then
    new.observedGeneration = generation
    changed = true
  end
  if changed then
    obj.status = new
  end
  return obj
end
