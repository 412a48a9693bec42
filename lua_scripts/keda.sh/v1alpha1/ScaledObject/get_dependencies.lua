-- The workload in scaleTargetRef is left out: as with a HorizontalPodAutoscaler, the scaler follows the
-- workload, whose own policy decides where it runs.
function GetDependencies(obj)
  local found = {}
  for _, trigger in ipairs((obj.spec or {}).triggers or {}) do
    local reference = trigger.authenticationRef or {}
    if (reference.name or "") ~= "" then
      local kind = (reference.kind or "") ~= "" and reference.kind or "TriggerAuthentication"
      found[#found + 1] = {
        apiVersion = "keda.sh/v1alpha1",
        kind = kind,
        namespace = kind == "TriggerAuthentication" and (obj.metadata or {}).namespace or nil,
        name = reference.name,
      }
    end
  end
  return found
end
