-- The states are those of RFC 8555. Ready is a step before the end, and what is final and not valid is lost for good:
-- cert-manager makes a new one.
local STATES = { valid = "Healthy", invalid = "Degraded", expired = "Degraded", errored = "Degraded" }

function InterpretHealth(obj)
  local status = obj.status or {}
  local state, message = status.state or "", string.match(status.reason or "", "[^\r\n]+")
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  if state == "" then
    return { status = "Progressing", reason = "NoState", message = message or "the server has not answered yet" }
  end
  return { status = STATES[state] or "Progressing", reason = state, message = message }
end
