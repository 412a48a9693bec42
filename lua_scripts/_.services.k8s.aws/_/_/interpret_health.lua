-- Terminal errors are not tried again before the spec changes. A recoverable error is, and what is not synchronized is
-- either being made or late; newer controllers sum all that up in Ready.
local function answer(status, condition, reason)
  local text = condition.message or condition.reason or ""
  return { status = status, reason = reason or condition.type, message = string.match(text, "[^\r\n]+") }
end

function InterpretHealth(obj)
  local found, metadata = {}, obj.metadata or {}
  for _, condition in ipairs((obj.status or {}).conditions or {}) do
    if condition.type then
      found[condition.type] = condition
    end
  end
  local terminal, recoverable = found["ACK.Terminal"] or {}, found["ACK.Recoverable"] or {}
  local synced = found["Ready"] or found["ACK.ResourceSynced"]
  if terminal.status == "True" then
    return answer("Degraded", terminal)
  elseif metadata.deletionTimestamp then
    return answer("Progressing", recoverable, "Terminating")
  elseif recoverable.status == "True" then
    return answer("Progressing", recoverable)
  elseif not synced then
    return answer("Progressing", { message = "the controller has not reported yet" }, "NoConditions")
  elseif (synced.observedGeneration or math.huge) < (metadata.generation or 0) then
    return answer("Progressing", { message = "the condition is of an older generation" }, "StaleStatus")
  elseif synced.status == "True" then
    return answer("Healthy", synced)
  end
  return answer("Progressing", synced, synced.type == "Ready" and "NotReady" or "NotSynced")
end
