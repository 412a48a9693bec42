-- An autoscaler in the member owns the number of groups where the template says so, as it does for a Deployment.
function Retain(desired, observed)
  local labels, replicas = (desired.metadata or {}).labels or {}, (observed.spec or {}).replicas
  if labels["resourcetemplate.karmada.io/retain-replicas"] == "true" and replicas ~= nil then
    desired.spec = desired.spec or {}
    desired.spec.replicas = replicas
  end
  return desired
end
