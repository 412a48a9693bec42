-- One replica is the operator's default.
local kube = require("kube")

-- The pod: the operator merges containers of the spec into its own by name.
local function template(spec)
  local containers = { { name = "alertmanager", resources = spec.resources } }
  for _, container in ipairs(spec.containers or {}) do
    if container.name == "alertmanager" then
      container.resources = container.resources or spec.resources
      containers[1] = container
    else
      containers[#containers + 1] = container
    end
  end
  return {
    spec = {
      containers = containers,
      initContainers = spec.initContainers,
      nodeSelector = spec.nodeSelector,
      affinity = spec.affinity,
      tolerations = spec.tolerations,
    },
  }
end

function GetReplicas(obj)
  local spec = obj.spec or {}
  return spec.replicas or 1, kube.accuratePodRequirements(template(spec))
end
