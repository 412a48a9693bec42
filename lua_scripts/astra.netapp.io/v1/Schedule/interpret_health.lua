-- No status says more than the switch: the API server fills it in, so without it the object is not admitted yet.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local enabled, text = (obj.spec or {}).enabled, (obj.status or {}).error
  if text then
    return answer("Degraded", "Error", text)
  elseif enabled == nil then
    return answer("Progressing", "NotAdmitted", "spec.enabled is not filled in yet")
  elseif enabled then
    return answer("Healthy", "Enabled", "spec.enabled is true")
  end
  return answer("Suspended", "Disabled", "spec.enabled is false")
end
