-- Secrets (credentials, keys that verify artifacts, certificates, the proxy), and the account whose pull secrets are
-- used. Every namespace has an account `default` of its own.
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
  addSecret((spec.verify or {}).secretRef)
  addSecret(spec.certSecretRef)
  addSecret(spec.proxySecretRef)
  if spec.serviceAccountName ~= "default" then
    add("ServiceAccount", spec.serviceAccountName)
  end
  return references
end
