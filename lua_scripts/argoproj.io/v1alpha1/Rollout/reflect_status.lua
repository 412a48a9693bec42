-- The generations let the control plane tell whether this status is about its own latest template.
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
