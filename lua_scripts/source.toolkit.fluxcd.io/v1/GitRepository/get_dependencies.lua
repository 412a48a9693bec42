-- Secrets: credentials, keys that verify commits, the proxy.
function GetDependencies(obj)
  local spec = obj.spec or {}
  local references = {}
  local function add(secret)
    local name = (secret or {}).name
    if name ~= nil and name ~= "" then
      local namespace = (obj.metadata or {}).namespace
      references[#references + 1] = { apiVersion = "v1", kind = "Secret", namespace = namespace, name = name }
    end
  end
  add(spec.secretRef)
  add((spec.verify or {}).secretRef)
  add(spec.proxySecretRef)
  return references
end
