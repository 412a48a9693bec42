-- Every instance runs in a pod of its own; one instance is the operator's default.
local kube = require("kube")

function GetReplicas(obj)
  local spec = obj.spec or {}
  local affinity = spec.affinity or {}
  local template = {
    spec = {
      containers = { { name = "postgres", resources = spec.resources } },
      nodeSelector = affinity.nodeSelector,
      tolerations = affinity.tolerations,
      affinity = affinity.nodeAffinity and { nodeAffinity = affinity.nodeAffinity },
    },
  }
  return spec.instances or 1, kube.accuratePodRequirements(template)
end
