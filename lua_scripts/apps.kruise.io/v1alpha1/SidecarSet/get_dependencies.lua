-- ConfigMaps and Secrets of the sidecars that keep running, and of their volumes. They belong to the namespace of the
-- pods: a set for the pods of every namespace names nothing that could be sent along.
local function namespaceOf(obj)
  local spec = obj.spec or {}
  return (obj.metadata or {}).namespace or spec.namespace or (spec.specificNamespace or {}).namespace
end

function GetDependencies(obj)
  local namespace = namespaceOf(obj)
  local found, seen = {}, {}
  local function add(kind, name)
    if name == nil or name == "" or seen[kind .. "/" .. name] then
      return
    end
    seen[kind .. "/" .. name] = true
    found[#found + 1] = { apiVersion = "v1", kind = kind, namespace = namespace, name = name }
  end
  if namespace == nil then
    return {}
  end
  local spec = obj.spec or {}
  for _, container in ipairs(spec.containers or {}) do
    for _, variable in ipairs(container.env or {}) do
      local source = variable.valueFrom or {}
      add("ConfigMap", (source.configMapKeyRef or {}).name)
      add("Secret", (source.secretKeyRef or {}).name)
    end
    for _, source in ipairs(container.envFrom or {}) do
      add("ConfigMap", (source.configMapRef or {}).name)
      add("Secret", (source.secretRef or {}).name)
    end
  end
  for _, volume in ipairs(spec.volumes or {}) do
    add("ConfigMap", (volume.configMap or {}).name)
    add("Secret", (volume.secret or {}).secretName)
  end
  return found
end
