-- Istio writes a status only where that is switched on (PILOT_ENABLE_STATUS, PILOT_ENABLE_ANALYSIS): without
-- one, what the API server accepted is in force. Analysis tells errors, Reconciled how many proxies have the
-- configuration.
function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status = obj.status or {}
  for _, found in ipairs(status.validationMessages or {}) do
    if string.upper(found.level or "") == "ERROR" then
      local kind = found.type or {}
      local text = found.message or found.documentationUrl or kind.code or found.code
      return { status = "Degraded", reason = kind.name or "AnalysisError", message = text }
    end
  end
  local verdict
  for _, condition in ipairs(status.conditions or {}) do
    local line = string.match(condition.message or "", "[^\r\n]+")
    if condition.status == "False" and condition.type == "PassedAnalysis" then
      return { status = "Degraded", reason = condition.reason or condition.type, message = line }
    elseif condition.type == "Reconciled" then
      local word = condition.status == "True" and "Healthy" or "Progressing"
      verdict = { status = word, reason = condition.reason or condition.type, message = line }
    end
  end
  -- The API keeps the number as text.
  local observed = tonumber(status.observedGeneration or "")
  if observed and observed < ((obj.metadata or {}).generation or 0) then
    return { status = "Progressing", reason = "StaleGeneration", message = "the status is about an older generation" }
  end
  return verdict or { status = "Healthy", reason = "Accepted", message = "no status says otherwise" }
end
