-- References hide in listeners, authorization, metrics, logging and pod templates, but always in the same forms, so
-- the whole spec is searched for them. Certificate authorities are secrets with fixed names unless the operator
-- makes them.
local plain = { config = true, listenerConfig = true, labels = true, annotations = true, matchLabels = true }

local function search(value, field, found)
  if type(value.name) == "string" and string.find(field, "onfigMap", 1, true) ~= nil then
    found[#found + 1] = { "ConfigMap", value.name }
  elseif type(value.name) == "string" and string.find(field, "ecret", 1, true) ~= nil then
    found[#found + 1] = { "Secret", value.name }
  end
  for key, child in pairs(value) do
    local name = type(key) == "string" and key or field
    if type(child) == "table" and not plain[name] then
      search(child, name, found)
    elseif type(child) == "string" and key == "secretName" then
      found[#found + 1] = { "Secret", child }
    elseif type(child) == "string" and key == "claimName" then
      found[#found + 1] = { "PersistentVolumeClaim", child }
    end
  end
end

function GetDependencies(obj)
  local metadata, spec = obj.metadata or {}, obj.spec or {}
  local found, references = {}, {}
  search(spec, "", found)
  for field, suffix in pairs({ clusterCa = "-cluster-ca", clientsCa = "-clients-ca" }) do
    if (spec[field] or {}).generateCertificateAuthority == false and metadata.name ~= nil then
      found[#found + 1] = { "Secret", metadata.name .. suffix }
      found[#found + 1] = { "Secret", metadata.name .. suffix .. "-cert" }
    end
  end
  for _, reference in ipairs(found) do
    if reference[2] ~= "" then
      references[#references + 1] =
        { apiVersion = "v1", kind = reference[1], namespace = metadata.namespace, name = reference[2] }
    end
  end
  return references
end
