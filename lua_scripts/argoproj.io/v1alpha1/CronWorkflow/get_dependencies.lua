-- What the workflows of this schedule refer to: all of a workflow, and of each of its steps. Claim templates are made by
-- the controller, and a name with a parameter in it is not known before the run.
local kube = require("kube")

local function containersOf(template)
  local containers = {}
  local function add(container)
    containers[#containers + 1] = container
  end
  add(template.container)
  add(template.script)
  for _, field in ipairs({ "sidecars", "initContainers" }) do
    for _, container in ipairs(template[field] or {}) do
      add(container)
    end
  end
  for _, container in ipairs((template.containerSet or {}).containers or {}) do
    add(container)
  end
  return containers
end

local function templateRefs(template)
  local refs = {}
  for _, group in ipairs(template.steps or {}) do
    for _, step in ipairs(group) do
      refs[#refs + 1] = step.templateRef
    end
  end
  for _, task in ipairs((template.dag or {}).tasks or {}) do
    refs[#refs + 1] = task.templateRef
  end
  return refs
end

function GetDependencies(obj)
  local spec = (obj.spec or {}).workflowSpec or {}
  local namespace = (obj.metadata or {}).namespace
  local dependencies = {}

  local function add(apiVersion, kind, name, isClusterScoped)
    if name ~= nil and name ~= "" and not string.find(name, "{{", 1, true) then
      dependencies[#dependencies + 1] =
        { apiVersion = apiVersion, kind = kind, namespace = not isClusterScoped and namespace or nil, name = name }
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

  addPod({
    volumes = spec.volumes,
    imagePullSecrets = spec.imagePullSecrets,
    serviceAccountName = spec.serviceAccountName,
  })
  addPod({ serviceAccountName = (spec.executor or {}).serviceAccountName })
  addTemplate(spec.workflowTemplateRef or {})
  add("v1", "ConfigMap", (spec.artifactRepositoryRef or {}).configMap)
  for _, template in ipairs(spec.templates or {}) do
    addPod({
      volumes = template.volumes,
      serviceAccountName = template.serviceAccountName,
      containers = containersOf(template),
    })
    addPod({ serviceAccountName = (template.executor or {}).serviceAccountName })
    for _, ref in ipairs(templateRefs(template)) do
      addTemplate(ref)
    end
  end
  return dependencies
end
