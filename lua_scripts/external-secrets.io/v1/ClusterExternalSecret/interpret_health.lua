-- Older versions report NotReady and PartiallyReady beside Ready, and leave them True when they are over: Ready True
-- decides. Each namespace that failed is listed.
function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status, found = obj.status or {}, nil
  for _, condition in ipairs(status.conditions or {}) do
    local kind, truth = condition.type, condition.status
    if kind == "Ready" and truth == "True" then
      return { status = "Healthy", reason = condition.reason or kind, message = condition.message }
    elseif kind == "Ready" and truth == "False" or kind ~= "Ready" and truth == "True" then
      found = found or condition
    end
  end
  local failed = {}
  for _, namespace in ipairs(status.failedNamespaces or {}) do
    failed[#failed + 1] = (namespace.namespace or "") .. ": " .. (namespace.reason or "failed")
  end
  if found or #failed > 0 then
    local text = #failed > 0 and table.concat(failed, ", ") or found.message
    return { status = "Degraded", reason = found and (found.reason or found.type) or "NotReady", message = text }
  end
  return { status = "Progressing", reason = "NoStatus", message = "the controller has not looked at it yet" }
end
