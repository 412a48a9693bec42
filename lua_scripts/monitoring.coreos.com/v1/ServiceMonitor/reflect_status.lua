-- Newer operators tell which workloads took the monitor; older ones write no status at all.
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
