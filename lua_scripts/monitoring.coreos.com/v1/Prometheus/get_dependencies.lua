-- Credentials and certificates are named all over the spec, always as { name, key }; a pod has the rest.
local kube = require("kube")
local plain = {
  labels = true,
  annotations = true,
  matchLabels = true,
  nodeSelector = true,
  externalLabels = true,
  headers = true,
}

local function search(value, field, found)
  if type(value.name) == "string" and type(value.key) == "string" then
    local config = string.find(field, "onfigMap", 1, true) ~= nil
    found[#found + 1] = { config and "ConfigMap" or "Secret", value.name }
  end
  for key, child in pairs(value) do
    local inner = type(key) == "string" and key or field
    if type(child) == "table" and not plain[inner] then
      search(child, inner, found)
    end
  end
end

function GetDependencies(obj)
  local namespace, spec, found = (obj.metadata or {}).namespace, obj.spec or {}, {}
  local pod = {
    containers = spec.containers,
    initContainers = spec.initContainers,
    volumes = spec.volumes,
    imagePullSecrets = spec.imagePullSecrets,
    serviceAccountName = spec.serviceAccountName,
  }
  local references = kube.getPodDependencies({ spec = pod }, namespace) or {}
  search(spec, "", found)
  for _, name in ipairs(spec.secrets or {}) do
    found[#found + 1] = { "Secret", name }
  end
  for _, name in ipairs(spec.configMaps or {}) do
    found[#found + 1] = { "ConfigMap", name }
  end
  for _, reference in ipairs(found) do
    if reference[2] ~= "" then
      references[#references + 1] =
        { apiVersion = "v1", kind = reference[1], namespace = namespace, name = reference[2] }
    end
  end
  return references
end
