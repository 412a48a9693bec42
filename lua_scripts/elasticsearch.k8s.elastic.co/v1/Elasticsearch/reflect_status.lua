-- The operator's status without its list of running operations, which has an entry for each node.
function ReflectStatus(obj)
  local status = obj.status
  if status == nil then
    return {}
  end
  status.inProgressOperations = nil
  local metadata = obj.metadata or {}
  status.generation = metadata.generation
  status.resourceTemplateGeneration = tonumber((metadata.annotations or {})["resourcetemplate.karmada.io/generation"])
  return status
end
