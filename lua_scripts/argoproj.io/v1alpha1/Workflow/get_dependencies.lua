-- What the whole workflow refers to. Two oddities are kept as they were in the control plane: a secret volume counts by
-- `secret.name`, too, and claim templates count as claims. The executor's account counts even if it is `default`.
local kube = require("kube")

function GetDependencies(obj)
  local spec = obj.spec or {}
  local namespace = (obj.metadata or {}).namespace
  local volumes = {}
  for _, volume in ipairs(spec.volumes or {}) do
    local secret = volume.secret
    if secret ~= nil then
      volumes[#volumes + 1] = { secret = { secretName = secret.secretName } }
      volume.secret = { secretName = secret.name }
    end
    volumes[#volumes + 1] = volume
  end
  local pod = {
    volumes = volumes,
    imagePullSecrets = spec.imagePullSecrets,
    serviceAccountName = spec.serviceAccountName,
  }
  local dependencies = kube.getPodDependencies({ spec = pod }, namespace) or {}

  local function add(kind, name)
    if name ~= nil and name ~= "" then
      dependencies[#dependencies + 1] = { apiVersion = "v1", kind = kind, namespace = namespace, name = name }
    end
  end
  for _, claim in ipairs(spec.volumeClaimTemplates or {}) do
    add("PersistentVolumeClaim", (claim.metadata or {}).name)
  end
  add("ServiceAccount", (spec.executor or {}).serviceAccountName)
  return dependencies
end
