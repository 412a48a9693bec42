-- A replica is a group: a leader, by the workers' template unless it has one of its own, and size - 1 workers. It needs
-- what all of its pods need.
local kube = require("kube")

function GetReplicas(obj)
  local spec = obj.spec or {}
  local group = spec.leaderWorkerTemplate or {}
  local size, template = group.size or 1, group.workerTemplate or {}
  local leader = kube.accuratePodRequirements(group.leaderTemplate or template) or {}
  local worker = kube.accuratePodRequirements(template) or {}
  local requests = leader.resourceRequest or {}
  for name, amount in pairs(size > 1 and worker.resourceRequest or {}) do
    for _ = 2, size do
      requests[name] = requests[name] and kube.resourceAdd(requests[name], amount) or amount
    end
  end
  local requirements = { nodeClaim = size > 1 and worker.nodeClaim or leader.nodeClaim }
  requirements.resourceRequest = next(requests) ~= nil and requests or nil
  return spec.replicas or 1, next(requirements) ~= nil and requirements or nil
end
