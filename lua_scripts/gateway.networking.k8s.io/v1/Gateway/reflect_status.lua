-- The controller's status as it is, with what aggregation needs to know a stale one.
function ReflectStatus(obj)
  local status = obj.status
  if status == nil then
    return {}
  end
  local metadata = obj.metadata or {}
  status.generation = metadata.generation
  status.resourceTemplateGeneration = tonumber((metadata.annotations or {})["resourcetemplate.karmada.io/generation"])
  return status
end
