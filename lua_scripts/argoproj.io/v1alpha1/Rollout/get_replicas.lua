-- With workloadRef the pod template stands in another object, so that only the count is known.
local kube = require("kube")

function GetReplicas(obj)
  local spec = obj.spec or {}
  local replicas = spec.replicas or 1
  if spec.template == nil then
    return replicas
  end
  return replicas, kube.accuratePodRequirements(spec.template)
end
