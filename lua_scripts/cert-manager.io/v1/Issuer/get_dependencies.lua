-- Whatever the provider, its credentials are in fields that end in SecretRef (in the free-form config of a
-- webhook solver too). The ACME account key is cert-manager's own work, unless the spec forbids to make one.
local kube = require("kube")

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

function GetDependencies(obj)
  local spec, namespace = obj.spec or {}, (obj.metadata or {}).namespace
  local found = {}
  collect(spec, namespace, found)
  -- The pods that answer HTTP-01 challenges run in the issuer's namespace.
  for _, solver in ipairs((spec.acme or {}).solvers or {}) do
    for _, way in pairs(solver.http01 or {}) do
      for _, reference in ipairs(kube.getPodDependencies(way.podTemplate or {}, namespace) or {}) do
        found[#found + 1] = reference
      end
    end
  end
  return found
end
