-- Launcher and workers by the names that the CRD gives them. The operator defaults replicas to one launcher and no worker;
-- a replica type without a pod template has no pods.
local kube = require("kube")

function GetComponents(obj)
  local specs = (obj.spec or {}).mpiReplicaSpecs or {}
  local components = {}
  for _, name in ipairs({ "Launcher", "Worker" }) do
    local spec = specs[name]
    if spec ~= nil and spec.template ~= nil then
      local default = name == "Worker" and 0 or 1
      components[#components + 1] = {
        name = name,
        replicas = tonumber(spec.replicas or default) or default,
        replicaRequirements = kube.accuratePodRequirements(spec.template),
      }
    end
  end
  return components
end
