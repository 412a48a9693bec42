local counters = {
  "observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas",
  "unavailableReplicas",
}

function ReflectStatus(obj)
  if obj.status == nil then
    return nil
  end
  local status = {
    generation = obj.metadata.generation,
    resourceTemplateGeneration = tonumber(
      obj.metadata.annotations["resourcetemplate.karmada.io/generation"]
    ),
  }
  for _, name in ipairs(counters) do
    if obj.status[name] ~= 0 then
      status[name] = obj.status[name]
    end
  end
  return status
end
