-- The current state is prose: one text for the goal, a few for what only a person can settle, and others, of which new
-- versions bring more, for what the operator is about to do. Health is that of the drives, by colour.
local FAULTS = {
  "^Statefulset not controlled", "^Another MinIO Tenant already exists", "credentials are not set properly$",
  "^Different versions across", "Decommissioning Not Allowed$",
}

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

function InterpretHealth(obj)
  local status = obj.status or {}
  local state, health, text = status.currentState or "", status.healthStatus, status.healthMessage
  for _, fault in ipairs(FAULTS) do
    if string.find(state, fault) then
      return answer("Degraded", "Failed", state)
    end
  end
  if (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif state == "" then
    return answer("Progressing", "NoState", "the operator has not reported yet")
  elseif state ~= "Initialized" then
    return answer("Progressing", "NotInitialized", state)
  elseif health == "red" then
    return answer("Degraded", "Red", text or "too many drives are offline to write")
  elseif health == "yellow" then
    return answer("Progressing", "Yellow", text or "some drives are offline or being healed")
  end
  return answer("Healthy", "Initialized", text)
end
