-- The controller's status with both generations, without the copy of the task and the statuses of failed
-- attempts.
function ReflectStatus(obj)
  local status = obj.status or {}
  if next(status) == nil then
    return {}
  end
  status.taskSpec = nil
  status.retriesStatus = nil
  local metadata = obj.metadata or {}
  local template = (metadata.annotations or {})["resourcetemplate.karmada.io/generation"]
  status.generation = metadata.generation
  status.resourceTemplateGeneration = template and tonumber(template)
  return status
end
