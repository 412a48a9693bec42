-- Certificates are read in the namespace of the gateway's pods, which is its own one in the recommended setup.
-- For mutual TLS the CA may be in a Secret beside the first, with the ending -cacert.

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

function GetDependencies(obj)
  local spec, namespace = obj.spec or {}, (obj.metadata or {}).namespace
  local found = {}
  for _, server in ipairs(spec.servers or {}) do
    local tls = server.tls or {}
    found[#found + 1] = credential(tls.credentialName, namespace)
    for _, name in ipairs(tls.credentialNames or {}) do
      found[#found + 1] = credential(name, namespace)
    end
    found[#found + 1] = credential(tls.caCertCredentialName, namespace)
    local mutual = tls.mode == "MUTUAL" or tls.mode == "OPTIONAL_MUTUAL"
    if mutual and tls.credentialName and not tls.caCertCredentialName then
      found[#found + 1] = credential(tls.credentialName .. "-cacert", namespace)
    end
  end
  return found
end
