-- The controller's status, with the generations that tell whether it is about the current template.
function ReflectStatus(obj)
  local status = obj.status or {}
  if next(status) == nil then
    return {}
  end
  local metadata = obj.metadata or {}
  local template = (metadata.annotations or {})["resourcetemplate.karmada.io/generation"]
  status.generation = metadata.generation
  status.resourceTemplateGeneration = template and tonumber(template)
  return status
end
