-- The controller's status, and the generations by which the control plane tells a status that is out of date. For
-- v1beta2 control planes never had observedGeneration here, so that the template's stays where it is.
function ReflectStatus(obj)
  local status = obj.status
  if status == nil then
    return {}
  end
  local metadata = obj.metadata or {}
  local template = (metadata.annotations or {})["resourcetemplate.karmada.io/generation"]
  if obj.apiVersion == "source.toolkit.fluxcd.io/v1beta2" then
    status.observedGeneration = nil
  end
  status.generation = metadata.generation
  status.resourceTemplateGeneration = template and tonumber(template)
  return status
end
