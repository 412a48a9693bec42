-- The operator's status without its list of running operations, which has an entry for each node.
function ReflectStatus(obj)
  local status = obj.status
  if status == nil then
    return {}
  end
  local metadata = obj.metadata or {}
  local annotations = metadata.annotations or {}
  status.inProgressOperations = nil
  status.generation = metadata.generation
  status.resourceTemplateGeneration = tonumber(annotations["resourcetemplate.karmada.io/generation"])
  return status
end
