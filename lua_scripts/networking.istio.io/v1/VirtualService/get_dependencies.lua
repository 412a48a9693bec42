-- Routes that it delegates to in its own namespace. Hosts are names of the mesh, not of objects; gateways,
-- which belong to those who run the cluster's edge, are where the routes are attached and not what they need.
function GetDependencies(obj)
  local namespace = (obj.metadata or {}).namespace
  local found = {}
  for _, route in ipairs((obj.spec or {}).http or {}) do
    local delegate = route.delegate or {}
    local own = (delegate.namespace or "") == "" or delegate.namespace == namespace
    if own and (delegate.name or "") ~= "" then
      found[#found + 1] = {
        apiVersion = obj.apiVersion or "networking.istio.io/v1",
        kind = "VirtualService",
        namespace = namespace,
        name = delegate.name,
      }
    end
  end
  return found
end
