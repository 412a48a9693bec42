-- Secrets: credentials, and since v1 the certificates; control planes never followed those for v1beta2.
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
  if obj.apiVersion ~= "source.toolkit.fluxcd.io/v1beta2" then
    add(spec.certSecretRef)
  end
  return references
end
