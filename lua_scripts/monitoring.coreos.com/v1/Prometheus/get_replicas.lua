-- A replica is one pod in every shard, so it needs what all of them need.
local kube = require("kube")

-- The pod: the operator merges containers of the spec into its own by name.
local function template(spec)
  local containers = { { name = "prometheus", resources = spec.resources } }
  for _, container in ipairs(spec.containers or {}) do
    if container.name == "prometheus" then
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
  local requirements = kube.accuratePodRequirements(template(spec)) or {}
  local requests = requirements.resourceRequest or {}
  for name, amount in pairs(requests) do
    for _ = 2, spec.shards or 1 do
      requests[name] = kube.resourceAdd(requests[name], amount)
    end
  end
  return spec.replicas or 1, next(requirements) ~= nil and requirements or nil
end
