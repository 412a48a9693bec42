-- The operator says in a word how the installation goes; one that was taken away again is at rest.
local WORDS = { Installed = "Healthy", Failed = "Degraded", Error = "Degraded", Uninstalled = "Suspended" }

function InterpretHealth(obj)
  local status = obj.status or {}
  local word, message = status.status or "", string.match(status.message or "", "[^\r\n]+")
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = message or "deletion was requested" }
  elseif word == "" then
    return { status = "Progressing", reason = "NoStatus", message = message or "the operator has not reported yet" }
  end
  return { status = WORDS[word] or "Progressing", reason = word, message = message }
end
