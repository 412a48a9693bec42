local kube = require("kube")

function GetComponents(obj)
  return {
    {
      name = obj.metadata.name,
      replicas = obj.spec.replicas or 0,
      replicaRequirements = kube.accuratePodRequirements(obj.spec.template),
    },
  }
end
