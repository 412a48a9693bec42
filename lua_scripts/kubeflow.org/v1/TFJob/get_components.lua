-- One component for each replica type, named as the operator names it in its labels; the operator defaults replicas to 1.
local kube = require("kube")

function GetComponents(obj)
  local specs = (obj.spec or {}).tfReplicaSpecs or {}
  local components = {}
  for _, name in ipairs({ "PS", "Worker", "Chief", "Master", "Evaluator" }) do
    local spec = specs[name]
    if spec ~= nil then
      local component = { name = string.lower(name), replicas = tonumber(spec.replicas or 1) or 1 }
      if spec.template ~= nil then
        component.replicaRequirements = kube.accuratePodRequirements(spec.template)
      end
      components[#components + 1] = component
    end
  end
  return components
end
