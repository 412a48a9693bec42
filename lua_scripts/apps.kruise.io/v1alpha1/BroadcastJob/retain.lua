-- The member marks the pods of a job by labels in its template; without them it would lose the pods that it started.
function Retain(desired, observed)
  local template = (observed.spec or {}).template or {}
  local labels = (template.metadata or {}).labels
  if labels ~= nil then
    desired.spec = desired.spec or {}
    desired.spec.template = desired.spec.template or {}
    desired.spec.template.metadata = desired.spec.template.metadata or {}
    desired.spec.template.metadata.labels = labels
  end
  return desired
end
