function InterpretHealth(obj)
  local status = obj.status or {}
  if type(status) ~= "table" then
    error("the status is none")
  end
  local updated = status.updatedReplicas or 0
  return (status.observedGeneration or 0) == (obj.metadata.generation or 0)
    and (obj.spec.replicas == nil or updated >= obj.spec.replicas)
    and (status.availableReplicas or 0) >= updated
end
