-- What the aggregation adds up; collisionCount and conditions stay in the member.
-- The generations tell the control plane whether this member has seen the current template.
local FIELDS = {
  "replicas", "readyReplicas", "availableReplicas", "updatedReplicas", "updatedReadyReplicas",
  "expectedUpdatedReplicas", "currentRevision", "updateRevision", "labelSelector", "observedGeneration",
}

function ReflectStatus(obj)
  local status = obj.status
  if status == nil then
    return {}
  end
  local metadata = obj.metadata or {}
  local annotations = metadata.annotations or {}
  local reflected = {
    generation = metadata.generation,
    resourceTemplateGeneration = tonumber(annotations["resourcetemplate.karmada.io/generation"]),
  }
  for _, field in ipairs(FIELDS) do
    reflected[field] = status[field]
  end
  return reflected
end
