-- What the aggregation adds up; collisionCount, conditions and labelSelector stay in the member.
-- The generations tell the control plane whether this member has seen the current template.
local FIELDS = {
  "replicas", "readyReplicas", "availableReplicas", "currentReplicas", "updatedReplicas", "updatedReadyReplicas",
  "currentRevision", "updateRevision", "observedGeneration",
}

function ReflectStatus(obj)
  if obj.status == nil then
    return {}
  end
  local status, metadata = {}, obj.metadata or {}
  for _, field in ipairs(FIELDS) do
    status[field] = obj.status[field]
  end
  status.generation = metadata.generation
  status.resourceTemplateGeneration = tonumber((metadata.annotations or {})["resourcetemplate.karmada.io/generation"])
  return status
end
