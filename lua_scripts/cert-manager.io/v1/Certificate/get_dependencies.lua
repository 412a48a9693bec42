-- The issuer and the passwords of keystores. The Secret in secretName is cert-manager's own work; an issuer of
-- another group is left out, because nothing here tells its version.
function GetDependencies(obj)
  local spec, namespace = obj.spec or {}, (obj.metadata or {}).namespace
  local found = {}
  local issuer = spec.issuerRef or {}
  local group = issuer.group or ""
  if (issuer.name or "") ~= "" and (group == "" or group == "cert-manager.io") then
    local kind = (issuer.kind or "") ~= "" and issuer.kind or "Issuer"
    found[#found + 1] = {
      apiVersion = obj.apiVersion or "cert-manager.io/v1",
      kind = kind,
      namespace = kind == "Issuer" and namespace or nil,
      name = issuer.name,
    }
  end
  for _, store in pairs(spec.keystores or {}) do
    local name = (store.passwordSecretRef or {}).name or ""
    if name ~= "" then
      found[#found + 1] = { apiVersion = "v1", kind = "Secret", namespace = namespace, name = name }
    end
  end
  return found
end
