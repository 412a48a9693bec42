-- Ready sums up the other conditions: Unknown while one of them is not known yet, False once one of them failed. What
-- failed says more than the sum, so its words are shown.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = string.match(message or "", "[^\r\n]+") }
end

function InterpretHealth(obj)
  local metadata, found, part = obj.metadata or {}, {}, {}
  for _, condition in ipairs((obj.status or {}).conditions or {}) do
    if condition.type then
      found[condition.type] = condition
    end
    if condition.status == "False" and condition.type ~= "Ready" then
      part = condition
    end
  end
  local ready, launched = found.Ready, found.Launched or {}
  local failed = ready and ready.status == "False" and ready or launched.status == "False" and launched
  if metadata.deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif failed then
    local text = failed.message or ""
    return answer("Degraded", failed.reason or "NotReady", text ~= "" and text or part.message)
  elseif not ready then
    return answer("Progressing", "NotReported", "Karpenter has not reported Ready yet")
  elseif (ready.observedGeneration or math.huge) < (metadata.generation or 0) then
    return answer("Progressing", "StaleStatus", "the condition is of an older generation")
  elseif ready.status == "True" then
    return answer("Healthy", "Ready", ready.message)
  end
  return answer("Progressing", ready.reason or "NotReady", ready.message)
end
