-- Ready is false when the store's configuration is refused or its provider does not answer.
local function find(obj, kind)
  for _, condition in ipairs((obj.status or {}).conditions or {}) do
    if condition.type == kind then
      return condition
    end
  end
end

local function say(status, condition)
  local line = string.match(condition.message or "", "[^\r\n]+")
  return { status = status, reason = condition.reason, message = line }
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local ready = find(obj, "Ready")
  if not ready then
    return { status = "Progressing", reason = "NoStatus", message = "the store has not been validated yet" }
  end
  local words = { True = "Healthy", False = "Degraded" }
  return say(words[ready.status] or "Progressing", ready)
end
