-- Whatever the provider, its credentials are in fields that end in SecretRef (in the free-form config of a
-- webhook solver too). The ACME account key is cert-manager's own work, unless the spec forbids to make one.
local function collect(fields, namespace, found)
  for key, value in pairs(fields) do
    local name, kind = value, nil
    if type(value) == "table" then
      name = value.name
      local field = type(key) == "string" and string.lower(key) or ""
      if field == "credentialsref" or string.sub(field, -9) == "secretref" then
        kind = "Secret"
      elseif field == "serviceaccountref" then
        kind = "ServiceAccount"
      end
      if field ~= "privatekeysecretref" then
        collect(value, namespace, found)
      elseif not fields.disableAccountKeyGeneration then
        kind = nil
      end
    elseif key == "secretName" then
      kind = "Secret"
    end
    if kind and type(name) == "string" and name ~= "" then
      found[#found + 1] = { apiVersion = "v1", kind = kind, namespace = namespace, name = name }
    end
  end
end

-- What a cluster-wide issuer names is in the namespace cert-manager, unless the controller was told otherwise
-- (--cluster-resource-namespace).
function GetDependencies(obj)
  local found = {}
  collect(obj.spec or {}, "cert-manager", found)
  return found
end
