-- Kueue suspends a job that is in a queue, and adds where its pods may run as it admits it.
function Retain(desired, observed)
  local labels = (observed.metadata or {}).labels or {}
  if labels["kueue.x-k8s.io/queue-name"] == nil then
    return desired
  end
  local spec = observed.spec or {}
  desired.spec = desired.spec or {}
  for _, field in ipairs({ "suspend", "podTemplateOverrides", "runtimePatches" }) do
    if spec[field] ~= nil then
      desired.spec[field] = spec[field]
    end
  end
  return desired
end
