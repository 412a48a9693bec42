-- Some forty providers, one habit: a selector of a Secret has a name and a key, or is in a field that ends in
-- Ref; a caProvider says itself what it selects. A store of a namespace may not look into another one.
local function kindOf(field, value)
  local lower = string.lower(field)
  if lower == "serviceaccount" or string.sub(lower, -17) == "serviceaccountref" then
    return "ServiceAccount"
  elseif lower == "credconfig" or value.type == "ConfigMap" then
    return "ConfigMap"
  elseif value.key or value.type == "Secret" or string.sub(lower, -3) == "ref" then
    return "Secret"
  end
end

local function collect(fields, namespace, found)
  for field, value in pairs(fields) do
    if type(value) == "table" then
      local name, own = value.name, value.namespace or namespace
      local kind = type(field) == "string" and type(name) == "string" and name ~= "" and kindOf(field, value)
      if kind and own == namespace then
        found[#found + 1] = { apiVersion = "v1", kind = kind, namespace = namespace, name = name }
      end
      collect(value, namespace, found)
    end
  end
end

function GetDependencies(obj)
  local found = {}
  collect((obj.spec or {}).provider or {}, (obj.metadata or {}).namespace, found)
  return found
end
