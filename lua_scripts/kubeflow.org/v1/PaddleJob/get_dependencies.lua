-- What the pods of each replica type refer to.
local kube = require("kube")

function GetDependencies(obj)
  local namespace = (obj.metadata or {}).namespace
  local dependencies = {}
  for _, spec in pairs((obj.spec or {}).paddleReplicaSpecs or {}) do
    if spec.template ~= nil then
      for _, dependency in ipairs(kube.getPodDependencies(spec.template, namespace) or {}) do
        dependencies[#dependencies + 1] = dependency
      end
    end
  end
  return dependencies
end
