-- Kruise runs one pod where the spec does not say how many.
local kube = require("kube")

function GetReplicas(obj)
  local spec = obj.spec or {}
  return spec.replicas or 1, spec.template and kube.accuratePodRequirements(spec.template)
end
