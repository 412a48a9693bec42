-- Certificates are read in the namespace of the proxy that calls. Only with a workloadSelector is that the
-- rule's own one: without it they are the business of egress gateways.

-- Plain names are Secrets, others have a scheme; a slash leads to another namespace or to a provider outside of
-- the cluster.
local function credential(name, namespace)
  local scheme, rest = string.match(name or "", "^(%a+)://(.+)$")
  local kinds = { kubernetes = "Secret", configmap = "ConfigMap" }
  local kind = scheme and kinds[scheme] or not scheme and "Secret"
  local plain = rest or name or ""
  if kind and plain ~= "" and not string.find(plain, "/", 1, true) then
    return { apiVersion = "v1", kind = kind, namespace = namespace, name = plain }
  end
end

local function collect(policy, namespace, found)
  if policy.tls then
    found[#found + 1] = credential(policy.tls.credentialName, namespace)
  end
  for _, port in ipairs(policy.portLevelSettings or {}) do
    collect(port, namespace, found)
  end
end

function GetDependencies(obj)
  local spec, namespace = obj.spec or {}, (obj.metadata or {}).namespace
  local found = {}
  if spec.workloadSelector then
    collect(spec.trafficPolicy or {}, namespace, found)
    for _, subset in ipairs(spec.subsets or {}) do
      collect(subset.trafficPolicy or {}, namespace, found)
    end
  end
  return found
end
