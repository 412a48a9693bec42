-- The operator's status without the books it keeps for its own instances (states, topology, versions of secrets).
function ReflectStatus(obj)
  local status = obj.status
  if status == nil then
    return {}
  end
  status.instancesReportedState = nil
  status.topology = nil
  status.secretsResourceVersion = nil
  status.configMapResourceVersion = nil
  local metadata = obj.metadata or {}
  status.generation = metadata.generation
  status.resourceTemplateGeneration = tonumber((metadata.annotations or {})["resourcetemplate.karmada.io/generation"])
  return status
end
