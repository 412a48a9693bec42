-- Each group is one leader, by the workers' template unless it has one of its own, and size - 1 workers.
local kube = require("kube")

local function component(name, replicas, template)
  return { name = name, replicas = replicas, replicaRequirements = kube.accuratePodRequirements(template) }
end

function GetComponents(obj)
  local spec = obj.spec or {}
  local group, groups = spec.leaderWorkerTemplate or {}, spec.replicas or 1
  local worker, workers = group.workerTemplate or {}, groups * ((group.size or 1) - 1)
  local components = { component("leader", groups, group.leaderTemplate or worker) }
  if workers > 0 then
    components[2] = component("worker", workers, worker)
  end
  return components
end
