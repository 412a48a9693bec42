-- Ready is false when the issuer cannot be used: its account was refused, a Secret is missing, its server does
-- not answer.
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
    return { status = "Progressing", reason = "NoStatus", message = "cert-manager has not seen the issuer yet" }
  end
  if ready.status == "False" then
    return say("Degraded", ready)
  end
  if (ready.observedGeneration or math.huge) < ((obj.metadata or {}).generation or 0) then
    return { status = "Progressing", reason = "StaleGeneration", message = "Ready is about an older generation" }
  end
  return say(ready.status == "True" and "Healthy" or "Progressing", ready)
end
