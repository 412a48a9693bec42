-- The operator's status without the books it keeps for its own instances (states, topology, versions of secrets).
function ReflectStatus(obj)
  local status = obj.status
  if status == nil then
    return {}
  end
  local metadata = obj.metadata or {}
  local annotations = metadata.annotations or {}
  status.instancesReportedState = nil
  status.topology = nil
  status.secretsResourceVersion = nil
  status.configMapResourceVersion = nil
  status.generation = metadata.generation
  status.resourceTemplateGeneration = tonumber(annotations["resourcetemplate.karmada.io/generation"])
  return status
end
