-- The head, then the worker groups; a group without a name is called by its place, counted from 1.
local kube = require("kube")

local function component(name, replicas, template)
  return {
    name = name,
    replicas = replicas,
    replicaRequirements = kube.accuratePodRequirements(template or {}),
  }
end

function GetComponents(obj)
  local spec = (obj.spec or {}).rayClusterSpec or {}
  local components = {}
  if spec.headGroupSpec then
    components[1] = component("ray-head", 1, spec.headGroupSpec.template)
  end
  for index, group in ipairs(spec.workerGroupSpecs or {}) do
    local name = group.groupName
    if name == nil or name == "" then
      name = "worker-" .. index
    end
    components[#components + 1] = component(name, group.replicas or 0, group.template)
  end
  return components
end
