-- The controller's status, and the generations by which the control plane tells a status that is out of date. For
-- v1beta2 control planes never had observedGeneration here, so that the template's stays where it is.
function ReflectStatus(obj)
  local status = obj.status
  if status == nil then
    return {}
  end
  if obj.apiVersion == "source.toolkit.fluxcd.io/v1beta2" then
    status.observedGeneration = nil
  end
  local metadata = obj.metadata or {}
  status.generation = metadata.generation
  status.resourceTemplateGeneration = tonumber((metadata.annotations or {})["resourcetemplate.karmada.io/generation"])
  return status
end
