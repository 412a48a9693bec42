-- The runtime, and what the job adds to the runtime's pods: secrets of the initializers, environments, overrides.
local kube = require("kube")

local function podsOf(spec)
  local initializer = spec.initializer or {}
  local containers = {}
  for _, part in ipairs({ spec.trainer or {}, initializer.dataset or {}, initializer.model or {} }) do
    containers[#containers + 1] = { name = "c", env = part.env }
    if part.secretRef ~= nil then
      containers[#containers + 1] = { name = "c", envFrom = { { secretRef = part.secretRef } } }
    end
  end
  local pods = { { containers = containers } }
  for _, override in ipairs(spec.podTemplateOverrides or spec.podSpecOverrides or {}) do
    pods[#pods + 1] = override.spec or override
  end
  for _, patch in ipairs(spec.runtimePatches or {}) do
    local template = (patch.trainingRuntimeSpec or {}).template or {}
    for _, job in ipairs((template.spec or {}).replicatedJobs or {}) do
      pods[#pods + 1] = (((job.template or {}).spec or {}).template or {}).spec
    end
  end
  return pods
end

function GetDependencies(obj)
  local spec = obj.spec or {}
  local namespace = (obj.metadata or {}).namespace
  local dependencies = {}
  local runtime = spec.runtimeRef or {}
  if runtime.name ~= nil then
    local kind = runtime.kind or "ClusterTrainingRuntime"
    dependencies[1] = {
      apiVersion = (runtime.apiGroup or "trainer.kubeflow.org") .. "/v1alpha1",
      kind = kind,
      namespace = kind ~= "ClusterTrainingRuntime" and namespace or nil,
      name = runtime.name,
    }
  end
  for _, pod in ipairs(podsOf(spec)) do
    for _, dependency in ipairs(kube.getPodDependencies({ spec = pod }, namespace) or {}) do
      dependencies[#dependencies + 1] = dependency
    end
  end
  return dependencies
end
