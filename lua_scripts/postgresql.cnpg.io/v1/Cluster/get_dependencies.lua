-- Credentials, certificates and queries are named all over the spec, but a reference is always { name, key } or
-- stands in a field that says secret or config map. The default monitoring queries come from the operator itself.
local plain = { labels = true, annotations = true, parameters = true, nodeSelector = true, matchLabels = true }

local function search(value, field, found)
  local name = value.name
  if type(name) == "string" and string.find(field, "onfigMap", 1, true) ~= nil then
    if name ~= "cnpg-default-monitoring" then
      found[#found + 1] = { "v1", "ConfigMap", name }
    end
  elseif type(name) == "string" and (type(value.key) == "string" or string.find(field, "ecret", 1, true) ~= nil) then
    found[#found + 1] = { "v1", "Secret", name }
  end
  for key, child in pairs(value) do
    local inner = type(key) == "string" and key or field
    if type(child) == "table" and not plain[inner] then
      search(child, inner, found)
    end
  end
end

function GetDependencies(obj)
  local metadata, spec = obj.metadata or {}, obj.spec or {}
  local found, references = {}, {}
  search(spec, "", found)
  for _, name in ipairs({ "serverCASecret", "serverTLSSecret", "clientCASecret", "replicationTLSSecret" }) do
    found[#found + 1] = { "v1", "Secret", (spec.certificates or {})[name] }
  end
  local backup, catalog = ((spec.bootstrap or {}).recovery or {}).backup or {}, spec.imageCatalogRef or {}
  found[#found + 1] = { "postgresql.cnpg.io/v1", "Backup", backup.name }
  found[#found + 1] = { "postgresql.cnpg.io/v1", catalog.kind, catalog.name }
  for _, reference in ipairs(found) do
    local namespace = metadata.namespace
    if reference[2] == "ClusterImageCatalog" then
      namespace = nil
    end
    if reference[2] ~= nil and (reference[3] or "") ~= "" then
      references[#references + 1] =
        { apiVersion = reference[1], kind = reference[2], namespace = namespace, name = reference[3] }
    end
  end
  return references
end
