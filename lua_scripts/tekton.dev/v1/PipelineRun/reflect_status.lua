-- The controller's status with both generations, without the copy of the pipeline, and without the copies of
-- task runs that v1beta1 could embed.
function ReflectStatus(obj)
  local status = obj.status or {}
  if next(status) == nil then
    return {}
  end
  status.pipelineSpec = nil
  status.taskRuns = nil
  status.runs = nil
  local metadata = obj.metadata or {}
  local template = (metadata.annotations or {})["resourcetemplate.karmada.io/generation"]
  status.generation = metadata.generation
  status.resourceTemplateGeneration = template and tonumber(template)
  return status
end
