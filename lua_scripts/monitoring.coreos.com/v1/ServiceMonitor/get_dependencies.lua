-- Credentials and certificates of endpoints are named as { name, key }, in secrets or config maps.
local plain = { labels = true, annotations = true, matchLabels = true, params = true }

local function search(value, field, found)
  if type(value.name) == "string" and value.name ~= "" and type(value.key) == "string" then
    local config = string.find(field, "onfigMap", 1, true) ~= nil
    found[#found + 1] = { kind = config and "ConfigMap" or "Secret", name = value.name }
  end
  for key, child in pairs(value) do
    local inner = type(key) == "string" and key or field
    if type(child) == "table" and not plain[inner] then
      search(child, inner, found)
    end
  end
end

function GetDependencies(obj)
  local references = {}
  search(obj.spec or {}, "", references)
  for _, reference in ipairs(references) do
    reference.apiVersion = "v1"
    reference.namespace = (obj.metadata or {}).namespace
  end
  return references
end
