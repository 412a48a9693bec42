-- Ready says whether the Secret holds a valid certificate, Issuing whether a new one is on its way: a renewal
-- changes nothing for those who use the old one, so it is Progressing but healthy. A refused request ends
-- Issuing with a failure.
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

local function assess(obj)
  local ready, issuing = find(obj, "Ready"), find(obj, "Issuing")
  if issuing and issuing.status == "True" then
    local answer = say("Progressing", issuing)
    answer.healthy = ready ~= nil and ready.status == "True"
    return answer
  end
  if not ready then
    return { status = "Progressing", reason = "NoStatus", message = "cert-manager has not seen the certificate yet" }
  end
  if ready.status == "False" then
    local failed = issuing or (obj.status or {}).lastFailureTime
    if ready.reason == "DoesNotExist" and not failed then
      return say("Progressing", ready)
    end
    return say("Degraded", issuing and issuing.reason == "Failed" and issuing or ready)
  end
  if (ready.observedGeneration or math.huge) < ((obj.metadata or {}).generation or 0) then
    return { status = "Progressing", reason = "StaleGeneration", message = "Ready is about an older generation" }
  end
  return say(ready.status == "True" and "Healthy" or "Progressing", ready)
end

-- A deletion changes nothing about the boolean.
function InterpretHealth(obj)
  local health = assess(obj)
  if not (obj.metadata or {}).deletionTimestamp then
    return health
  end
  local healthy = health.healthy
  if healthy == nil then
    healthy = health.status == "Healthy" or health.status == "Suspended" or nil
  end
  return { status = "Progressing", reason = "Terminating", message = "deletion was requested", healthy = healthy }
end
