-- The pipeline or the tasks that it names, and what their pods refer to.
local kube = require("kube")

-- A name with a variable such as $(params.secret) is only known in the run: such an entry is left out.
local function append(list, more)
  for _, entry in ipairs(more or {}) do
    if not string.find(entry.name or "", "$(", 1, true) then
      list[#list + 1] = entry
    end
  end
end

-- A run as a pod, as far as it refers to something: a workspace is bound like a volume, steps and sidecars are
-- containers.
local function podReferences(namespace, account, pod, workspaces, task)
  local spec = { serviceAccountName = account, imagePullSecrets = pod.imagePullSecrets }
  spec.volumes, spec.containers = {}, { { env = pod.env }, task.stepTemplate }
  append(spec.volumes, pod.volumes)
  append(spec.volumes, workspaces)
  append(spec.volumes, task.volumes)
  append(spec.containers, task.steps)
  append(spec.containers, task.sidecars)
  return kube.getPodDependencies({ spec = spec }, namespace)
end

-- Only what is fetched from the cluster by its name; a resolver or bundle brings it from elsewhere.
local function definition(obj, reference, kind)
  if not reference or (reference.name or "") == "" or reference.resolver or (reference.bundle or "") ~= "" then
    return {}
  end
  local own = (reference.kind or "") ~= "" and reference.kind or kind
  local version = (reference.apiVersion or "") ~= "" and reference.apiVersion or obj.apiVersion
  local namespace = (obj.metadata or {}).namespace
  if own == "ClusterTask" then
    version, namespace = "tekton.dev/v1beta1", nil
  end
  return { { apiVersion = version, kind = own, namespace = namespace, name = reference.name } }
end

function GetDependencies(obj)
  local spec, namespace = obj.spec or {}, (obj.metadata or {}).namespace
  local found, tasks = {}, {}
  append(found, definition(obj, spec.pipelineRef, "Pipeline"))
  -- v1beta1 has in the spec itself what v1 has in taskRunTemplate, and longer names in taskRunSpecs.
  local run = spec.taskRunTemplate or spec
  append(found, podReferences(namespace, run.serviceAccountName, run.podTemplate or {}, spec.workspaces, {}))
  for _, own in ipairs(spec.taskRunSpecs or {}) do
    local account, pod = own.serviceAccountName or own.taskServiceAccountName, own.podTemplate or own.taskPodTemplate
    append(found, podReferences(namespace, account, pod or {}, {}, {}))
  end
  append(tasks, (spec.pipelineSpec or {}).tasks)
  append(tasks, (spec.pipelineSpec or {}).finally)
  for _, task in ipairs(tasks) do
    append(found, definition(obj, task.taskRef, "Task"))
    append(found, podReferences(namespace, nil, {}, {}, task.taskSpec or {}))
  end
  return found
end
