local kube = require("kube")

function GetDependencies(obj)
  return kube.getPodDependencies(obj.spec.template, obj.metadata.namespace) or {}
end
