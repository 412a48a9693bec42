-- The Services that it sends requests to, mirrors included. Gateways are left out: they belong to those who run
-- the cluster's edge, and a route is attached to them. So is what is in another namespace.
function GetDependencies(obj)
  local namespace = (obj.metadata or {}).namespace
  local found = {}
  local function put(reference)
    local own = (reference.namespace or namespace) == namespace and (reference.group or "") == ""
    if own and (reference.kind or "Service") == "Service" and (reference.name or "") ~= "" then
      found[#found + 1] = { apiVersion = "v1", kind = "Service", namespace = namespace, name = reference.name }
    end
  end
  local function mirrors(filters)
    for _, filter in ipairs(filters or {}) do
      put((filter.requestMirror or {}).backendRef or {})
    end
  end
  for _, rule in ipairs((obj.spec or {}).rules or {}) do
    mirrors(rule.filters)
    for _, backend in ipairs(rule.backendRefs or {}) do
      put(backend)
      mirrors(backend.filters)
    end
  end
  return found
end
