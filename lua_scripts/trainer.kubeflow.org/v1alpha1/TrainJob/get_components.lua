-- The training nodes; count, resources and placement that are left to the runtime are not known here.
local kube = require("kube")

local function targetsNodes(override)
  for _, target in ipairs(override.targetJobs or {}) do
    if target.name == "node" then
      return true
    end
  end
  return false
end

-- The last override of a field wins, as in the runtime's own merge.
local function placement(spec)
  local pod = {}
  local function apply(patch)
    pod.nodeSelector = patch.nodeSelector or pod.nodeSelector
    pod.tolerations = patch.tolerations or pod.tolerations
    pod.affinity = patch.affinity or pod.affinity
  end
  for _, override in ipairs(spec.podTemplateOverrides or spec.podSpecOverrides or {}) do
    if targetsNodes(override) then
      apply(override.spec or override)
    end
  end
  for _, patch in ipairs(spec.runtimePatches or {}) do
    local template = (patch.trainingRuntimeSpec or {}).template or {}
    for _, job in ipairs((template.spec or {}).replicatedJobs or {}) do
      if job.name == "node" then
        apply((((job.template or {}).spec or {}).template or {}).spec or {})
      end
    end
  end
  return pod
end

function GetComponents(obj)
  local spec = obj.spec or {}
  local trainer = spec.trainer or {}
  local pod = placement(spec)
  pod.containers = { { name = "node", resources = trainer.resourcesPerNode } }
  return {
    {
      name = "node",
      replicas = tonumber(trainer.numNodes or 1) or 1,
      replicaRequirements = kube.accuratePodRequirements({ spec = pod }),
    },
  }
end
