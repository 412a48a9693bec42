-- What the workflows of this schedule refer to, and each of their steps. Claim templates are made by the controller,
-- and a name with a parameter in it is not known before the run.
local kube = require("kube")

local function containersOf(template)
  local containers = { template.container }
  containers[#containers + 1] = template.script
  local set = template.containerSet or {}
  for _, list in ipairs({ template.sidecars or {}, template.initContainers or {}, set.containers or {} }) do
    for _, container in ipairs(list) do
      containers[#containers + 1] = container
    end
  end
  return containers
end

function GetDependencies(obj)
  local spec, namespace = (obj.spec or {}).workflowSpec or {}, (obj.metadata or {}).namespace
  local dependencies = {}
  local function add(apiVersion, kind, name, isClusterScoped)
    if name ~= nil and name ~= "" and not string.find(name, "{{", 1, true) then
      local place = not isClusterScoped and namespace or nil
      dependencies[#dependencies + 1] = { apiVersion = apiVersion, kind = kind, namespace = place, name = name }
    end
  end
  local function addPod(pod)
    for _, dependency in ipairs(kube.getPodDependencies({ spec = pod }, namespace) or {}) do
      add(dependency.apiVersion, dependency.kind, dependency.name)
    end
  end
  local function addTemplate(ref)
    local kind = ref.clusterScope and "ClusterWorkflowTemplate" or "WorkflowTemplate"
    add("argoproj.io/v1alpha1", kind, ref.name, ref.clusterScope)
  end

  local account = spec.serviceAccountName
  addPod({ volumes = spec.volumes, imagePullSecrets = spec.imagePullSecrets, serviceAccountName = account })
  addPod({ serviceAccountName = (spec.executor or {}).serviceAccountName })
  addTemplate(spec.workflowTemplateRef or {})
  add("v1", "ConfigMap", (spec.artifactRepositoryRef or {}).configMap)
  for _, template in ipairs(spec.templates or {}) do
    account = template.serviceAccountName
    addPod({ volumes = template.volumes, serviceAccountName = account, containers = containersOf(template) })
    addPod({ serviceAccountName = (template.executor or {}).serviceAccountName })
    local steps = template.steps or {}
    steps[#steps + 1] = (template.dag or {}).tasks
    for _, group in ipairs(steps) do
      for _, step in ipairs(group) do
        addTemplate(step.templateRef or {})
      end
    end
  end
  return dependencies
end
