-- Stores, generators and the sources of templates. The Secret in target is the operator's work, also where it
-- merges into one: the control plane must not write there too.
local function put(found, namespace, kind, name, apiVersion)
  if (name or "") ~= "" then
    local wide = kind == "ClusterSecretStore" or kind == "ClusterGenerator"
    found[#found + 1] = { apiVersion = apiVersion, kind = kind, namespace = not wide and namespace or nil, name = name }
  end
end

function GetDependencies(obj)
  local spec, namespace = obj.spec or {}, (obj.metadata or {}).namespace
  local version = obj.apiVersion or "external-secrets.io/v1"
  local found = {}
  local function source(fields)
    local store, generator = fields.storeRef or fields.secretStoreRef or {}, fields.generatorRef or {}
    put(found, namespace, store.kind or "SecretStore", store.name, version)
    if generator.kind then
      local group = generator.apiVersion or "generators.external-secrets.io/v1alpha1"
      put(found, namespace, generator.kind, generator.name, group)
    end
  end
  source(spec)
  for _, list in ipairs({ spec.data or {}, spec.dataFrom or {} }) do
    for _, entry in ipairs(list) do
      source(entry.sourceRef or {})
    end
  end
  for _, from in ipairs(((spec.target or {}).template or {}).templateFrom or {}) do
    put(found, namespace, "ConfigMap", (from.configMap or {}).name, "v1")
    put(found, namespace, "Secret", (from.secret or {}).name, "v1")
  end
  return found
end
