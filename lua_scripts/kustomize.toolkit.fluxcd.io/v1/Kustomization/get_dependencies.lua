-- Decryption keys, values to substitute, access to another cluster, and the accounts that decrypt and apply. The
-- source is an object of its own, with its own dependencies; every namespace has an account `default` of its own.
function GetDependencies(obj)
  local spec = obj.spec or {}
  local references = {}
  local function add(kind, name)
    if name ~= nil and name ~= "" then
      local namespace = (obj.metadata or {}).namespace
      references[#references + 1] = { apiVersion = "v1", kind = kind, namespace = namespace, name = name }
    end
  end
  local function addRef(kind, reference)
    add(kind, (reference or {}).name)
  end
  local decryption, kubeConfig = spec.decryption or {}, spec.kubeConfig or {}
  addRef("Secret", decryption.secretRef)
  addRef("Secret", kubeConfig.secretRef)
  addRef("ConfigMap", kubeConfig.configMapRef)
  for _, values in ipairs((spec.postBuild or {}).substituteFrom or {}) do
    if values.kind == "Secret" or values.kind == "ConfigMap" then
      addRef(values.kind, values)
    end
  end
  for _, account in ipairs({ decryption.serviceAccountName or "", spec.serviceAccountName or "" }) do
    if account ~= "default" then
      add("ServiceAccount", account)
    end
  end
  return references
end
