-- Secrets: credentials and the proxy. Certificates, the token service and the account of a workload identity are
-- followed since v1; control planes never did so for v1beta2.
function GetDependencies(obj)
  local spec = obj.spec or {}
  local references = {}
  local function add(kind, name)
    if name ~= nil and name ~= "" then
      local namespace = (obj.metadata or {}).namespace
      references[#references + 1] = { apiVersion = "v1", kind = kind, namespace = namespace, name = name }
    end
  end
  local function addSecret(secret)
    add("Secret", (secret or {}).name)
  end
  addSecret(spec.secretRef)
  addSecret(spec.proxySecretRef)
  if obj.apiVersion ~= "source.toolkit.fluxcd.io/v1beta2" then
    addSecret(spec.certSecretRef)
    addSecret((spec.sts or {}).secretRef)
    addSecret((spec.sts or {}).certSecretRef)
    if spec.serviceAccountName ~= "default" then
      add("ServiceAccount", spec.serviceAccountName)
    end
  end
  return references
end
