function Retain(desired, observed)
  local labels = desired.metadata.labels or {}
  if labels["resourcetemplate.karmada.io/retain-replicas"] == "true" then
    desired.spec.replicas = observed.spec.replicas
  end
  return desired
end
