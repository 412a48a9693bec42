-- Active only tells whether there is work, so it decides nothing. A fallback means that a trigger failed for
-- long: KEDA then holds a fixed count. An autoscaler without metrics waits for them; the configuration is correct.
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
  local ready, paused, fallback = find(obj, "Ready"), find(obj, "Paused"), find(obj, "Fallback")
  if ready and ready.reason == "HPAMetricsUnavailable" then
    return say("Progressing", ready)
  end
  if ready and (ready.status == "False" or ready.reason == "PartialTriggerError") then
    return say("Degraded", ready)
  end
  if paused and paused.status == "True" then
    return say("Suspended", paused)
  end
  if fallback and fallback.status == "True" then
    return say("Degraded", fallback)
  end
  if ready and ready.status == "True" then
    return say("Healthy", ready)
  end
  return { status = "Progressing", reason = "NotReady", message = "KEDA has not set up the scaled object yet" }
end
