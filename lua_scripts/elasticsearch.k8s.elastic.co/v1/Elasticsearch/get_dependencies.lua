-- Secrets and config maps by their names, and what pods of the node sets use. Clusters that this one talks to are
-- no part of it: they are deployed for themselves.
local kube = require("kube")

local function add(references, namespace, kind, name)
  if type(name) == "string" and name ~= "" then
    references[#references + 1] = { apiVersion = "v1", kind = kind, namespace = namespace, name = name }
  end
end

local function certificate(options)
  return ((options or {}).tls or {}).certificate or {}
end

function GetDependencies(obj)
  local namespace, spec, references = (obj.metadata or {}).namespace, obj.spec or {}, {}
  local auth, transport = spec.auth or {}, spec.transport or {}
  for _, list in ipairs({ spec.secureSettings or {}, auth.fileRealm or {}, auth.roles or {} }) do
    for _, entry in ipairs(list) do
      add(references, namespace, "Secret", entry.secretName)
    end
  end
  add(references, namespace, "Secret", certificate(spec.http).secretName)
  add(references, namespace, "Secret", certificate(transport).secretName)
  add(references, namespace, "ConfigMap", ((transport.tls or {}).certificateAuthorities or {}).configMapName)
  add(references, namespace, "ServiceAccount", spec.serviceAccountName)
  for _, set in ipairs(spec.nodeSets or {}) do
    for _, reference in ipairs(kube.getPodDependencies(set.podTemplate or {}, namespace) or {}) do
      references[#references + 1] = reference
    end
  end
  return references
end
