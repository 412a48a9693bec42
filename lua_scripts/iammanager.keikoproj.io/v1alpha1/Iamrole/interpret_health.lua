-- Any state but Ready names a rule that was broken or an attempt that failed, such as RolesMaxLimitReached; the
-- description has the error.
function InterpretHealth(obj)
  local status = obj.status or {}
  local state, text = status.state or "", string.match(status.errorDescription or "", "[^\r\n]+")
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = text or "deletion was requested" }
  elseif state == "" then
    return { status = "Progressing", reason = "NoState", message = "the controller has not reported a state yet" }
  elseif state == "Ready" then
    return { status = "Healthy", reason = state, message = status.roleARN }
  end
  return { status = "Degraded", reason = state, message = text }
end
