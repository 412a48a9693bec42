-- The resources, the history and the result of each resource's sync stay in the member: they grow with the application,
-- up to thousands of entries.
function ReflectStatus(obj)
  local status = obj.status
  if status == nil then
    return {}
  end
  status.resources = nil
  status.history = nil
  if status.operationState ~= nil then
    status.operationState.syncResult = nil
  end
  local metadata = obj.metadata or {}
  status.generation = metadata.generation
  status.resourceTemplateGeneration = tonumber((metadata.annotations or {})["resourcetemplate.karmada.io/generation"])
  return status
end
