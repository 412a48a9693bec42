local kube = require("kube")

-- A run as a pod template, as far as it refers to something: a workspace is bound like a volume, steps and
-- sidecars are containers.
local function podOf(account, pod, workspaces, task)
  local volumes, containers = {}, {}
  for _, list in ipairs({ pod.volumes or {}, workspaces or {}, task.volumes or {} }) do
    for _, volume in ipairs(list) do
      volumes[#volumes + 1] = {
        name = "volume",
        persistentVolumeClaim = volume.persistentVolumeClaim,
        configMap = volume.configMap,
        secret = volume.secret,
        projected = volume.projected,
        csi = volume.csi,
      }
    end
  end
  for _, list in ipairs({ { pod, task.stepTemplate or {} }, task.steps or {}, task.sidecars or {} }) do
    for _, container in ipairs(list) do
      containers[#containers + 1] = { name = "step", env = container.env, envFrom = container.envFrom }
    end
  end
  return {
    spec = {
      serviceAccountName = account,
      imagePullSecrets = pod.imagePullSecrets,
      volumes = volumes,
      containers = containers,
    },
  }
end

-- Names with a variable such as $(params.secret) are only known in the run.
local function put(found, references)
  for _, reference in ipairs(references) do
    if not string.find(reference.name or "$(", "$(", 1, true) then
      found[#found + 1] = reference
    end
  end
end

-- Only what is fetched from the cluster by its name; a resolver or bundle brings it from elsewhere.
local function definition(obj, fields, kind)
  local reference = fields or {}
  if not reference.name or reference.resolver or (reference.bundle or "") ~= "" then
    return {}
  end
  local own = (reference.kind or "") ~= "" and reference.kind or kind
  local version = (reference.apiVersion or "") ~= "" and reference.apiVersion or obj.apiVersion or "tekton.dev/v1"
  local namespace = (obj.metadata or {}).namespace
  if own == "ClusterTask" then
    version, namespace = "tekton.dev/v1beta1", nil
  end
  return { { apiVersion = version, kind = own, namespace = namespace, name = reference.name } }
end

function GetDependencies(obj)
  local spec, namespace = obj.spec or {}, (obj.metadata or {}).namespace
  local found = {}
  put(found, definition(obj, spec.taskRef, "Task"))
  local pod = podOf(spec.serviceAccountName, spec.podTemplate or {}, spec.workspaces, spec.taskSpec or {})
  put(found, kube.getPodDependencies(pod, namespace) or {})
  return found
end
