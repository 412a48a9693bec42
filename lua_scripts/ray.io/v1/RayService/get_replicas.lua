-- One replica for the head and one for each worker. All count as pods of one size: that of the
-- head, with CPU and memory raised to the largest group; a head that asks for nothing leaves it open.
local kube = require("kube")

local function larger(one, other)
  if kube.getResourceQuantity(other) > kube.getResourceQuantity(one) then
    return other
  end
  return one
end

function GetReplicas(obj)
  local cluster = (obj.spec or {}).rayClusterConfig or {}
  local requirements = kube.accuratePodRequirements((cluster.headGroupSpec or {}).template or {})
  local replicas = 1
  for _, group in ipairs(cluster.workerGroupSpecs or {}) do
    replicas = replicas + (group.replicas or 0)
    local worker = (kube.accuratePodRequirements(group.template or {}) or {}).resourceRequest
    if requirements and worker then
      local request = requirements.resourceRequest or {}
      request.cpu = larger(request.cpu, worker.cpu)
      request.memory = larger(request.memory, worker.memory)
      requirements.resourceRequest = request
    end
  end
  return replicas, requirements
end
