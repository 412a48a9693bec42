-- The controller's status as it is, with what aggregation needs to know a stale one.
-- Left out are the copy of the pipeline and those of its task runs, which v1beta1 could embed.
function ReflectStatus(obj)
  local status = obj.status
  if status == nil then
    return {}
  end
  status.pipelineSpec, status.taskRuns, status.runs = nil, nil, nil
  local metadata = obj.metadata or {}
  status.generation = metadata.generation
  status.resourceTemplateGeneration = tonumber((metadata.annotations or {})["resourcetemplate.karmada.io/generation"])
  return status
end
