-- What the pods of its jobs need, and what its triggers authenticate with.
local kube = require("kube")

function GetDependencies(obj)
  local spec, namespace = obj.spec or {}, (obj.metadata or {}).namespace
  local found = kube.getPodDependencies((spec.jobTargetRef or {}).template or {}, namespace) or {}
  for _, trigger in ipairs(spec.triggers or {}) do
    local reference = trigger.authenticationRef or {}
    if (reference.name or "") ~= "" then
      local kind = (reference.kind or "") ~= "" and reference.kind or "TriggerAuthentication"
      found[#found + 1] = {
        apiVersion = "keda.sh/v1alpha1",
        kind = kind,
        namespace = kind == "TriggerAuthentication" and namespace or nil,
        name = reference.name,
      }
    end
  end
  return found
end
