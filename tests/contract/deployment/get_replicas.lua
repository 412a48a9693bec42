local kube = require("kube")

function GetReplicas(obj)
  return obj.spec.replicas or 0, kube.accuratePodRequirements(obj.spec.template)
end
