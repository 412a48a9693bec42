-- What is put into a Grafana is synchronized or not; before there were conditions, a hash and the time of the last
-- synchronization told so. Where no instance matches there is nobody to apply it.
local FAULTS = { NoMatchingInstance = true, InvalidSpec = true }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status, metadata, good, waiting = obj.status or {}, obj.metadata or {}, nil, nil
  for _, condition in ipairs(status.conditions or {}) do
    local kind, truth = condition.type or "", condition.status
    local reason, line = condition.reason or kind, string.match(condition.message or "", "[^\r\n]+")
    local synchronized = string.find(kind, "Synchronized$")
    if synchronized and truth == "False" or FAULTS[kind] and truth == "True" then
      return answer("Degraded", reason, line)
    elseif synchronized and (condition.observedGeneration or math.huge) < (metadata.generation or 0) then
      waiting = answer("Progressing", "StaleStatus", "the condition is of an older generation")
    elseif synchronized and truth == "True" then
      good = answer("Healthy", reason, line)
    elseif kind == "Suspended" and truth == "True" then
      waiting = answer("Suspended", reason, line)
    end
  end
  if status.NoMatchingInstances then
    return answer("Degraded", "NoMatchingInstances", "no Grafana matches the instance selector")
  elseif (status.lastMessage or "") ~= "" then
    return answer("Degraded", "Error", status.lastMessage)
  elseif (obj.spec or {}).suspend then
    return answer("Suspended", "Suspended", "spec.suspend is true")
  elseif waiting or good then
    return waiting or good
  elseif not status.conditions and (status.hash or "") ~= "" then
    return answer("Healthy", "Synchronized", "last synchronized " .. (status.lastResync or "at an unknown time"))
  end
  return answer("Progressing", "NotSynchronized", "the operator has not applied it yet")
end
