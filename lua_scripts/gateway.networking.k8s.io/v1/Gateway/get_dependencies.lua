-- Certificates, CAs and parameters. The class is left out: it comes with the controller that a cluster runs, as
-- classes of ingresses do. What is in another namespace belongs to those who grant its use.
function GetDependencies(obj)
  local spec, namespace = obj.spec or {}, (obj.metadata or {}).namespace
  local found = {}
  local function put(references)
    for _, reference in ipairs(references or {}) do
      local kind, name = reference.kind or "Secret", reference.name or ""
      local own = (reference.namespace or namespace) == namespace and (reference.group or "") == ""
      if own and name ~= "" and (kind == "Secret" or kind == "ConfigMap") then
        found[#found + 1] = { apiVersion = "v1", kind = kind, namespace = namespace, name = name }
      end
    end
  end
  for _, listener in ipairs(spec.listeners or {}) do
    local tls = listener.tls or {}
    put(tls.certificateRefs)
    put((tls.frontendValidation or {}).caCertificateRefs)
  end
  -- Since 1.4 the TLS of clients and of backends is in one place.
  local backend, frontend = (spec.tls or {}).backend or spec.backendTLS or {}, (spec.tls or {}).frontend or {}
  put({ backend.clientCertificateRef })
  put(((frontend.default or {}).validation or {}).caCertificateRefs)
  for _, port in ipairs(frontend.perPort or {}) do
    put(((port.tls or {}).validation or {}).caCertificateRefs)
  end
  put({ (spec.infrastructure or {}).parametersRef })
  return found
end
