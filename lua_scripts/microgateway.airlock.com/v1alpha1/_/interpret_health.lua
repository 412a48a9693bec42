-- A policy is in force where it is accepted by every ancestor of what it is attached to; one that leaves Accepted out
-- has not accepted. Settings without targets have no status and are data.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

local function accepted(ancestor)
  for _, condition in ipairs(ancestor.conditions or {}) do
    if condition.type == "Accepted" then
      return condition
    end
  end
  local name = (ancestor.ancestorRef or {}).name or "an ancestor"
  return { status = "False", reason = "NotAccepted", message = name .. " has not accepted the policy" }
end

function InterpretHealth(obj)
  local metadata, ancestors, good, waiting = obj.metadata or {}, (obj.status or {}).ancestors or {}, nil, nil
  for _, ancestor in ipairs(ancestors) do
    local condition = accepted(ancestor)
    if condition.status == "False" then
      return answer("Degraded", condition.reason, condition.message)
    elseif (condition.observedGeneration or math.huge) < (metadata.generation or 0) then
      waiting = answer("Progressing", "StaleStatus", "a condition is of an older generation")
    elseif condition.status == "True" then
      good = answer("Healthy", condition.reason or "Accepted", condition.message)
    else
      waiting = answer("Progressing", condition.reason or "NotAccepted", condition.message)
    end
  end
  if metadata.deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif obj.spec and not obj.spec.targetRefs and not obj.status then
    return answer("Healthy", "PlainData", "nothing to wait for: settings report no status")
  end
  return waiting or good or answer("Progressing", "NoAncestors", "no gateway has accepted the policy yet")
end
