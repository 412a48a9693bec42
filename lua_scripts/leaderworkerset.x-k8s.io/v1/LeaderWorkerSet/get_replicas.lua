-- A replica is a pod: so many groups of so many pods each. Leader and workers may differ, so each counts as the
-- larger one; the components tell them apart.
local kube = require("kube")

local function larger(one, other)
  if kube.getResourceQuantity(other) > kube.getResourceQuantity(one) then
    return other
  end
  return one
end

function GetReplicas(obj)
  local spec = obj.spec or {}
  local group = spec.leaderWorkerTemplate or {}
  local size = group.size or 1
  local worker = group.workerTemplate or {}
  local requirements = kube.accuratePodRequirements(group.leaderTemplate or worker) or {}
  if size > 1 and group.leaderTemplate ~= nil then
    local other = kube.accuratePodRequirements(worker) or {}
    local requests = requirements.resourceRequest or {}
    for name, amount in pairs(other.resourceRequest or {}) do
      requests[name] = larger(requests[name], amount)
    end
    requirements = { nodeClaim = other.nodeClaim or requirements.nodeClaim, resourceRequest = requests }
  end
  if next(requirements.resourceRequest or {}) == nil then
    requirements.resourceRequest = nil
  end
  return (spec.replicas or 1) * size, next(requirements) ~= nil and requirements or nil
end
