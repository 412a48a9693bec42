-- Ready tells of the object itself. The phase of a commit status is what it reports, not how it is; the checks of several
-- environments sum theirs up, and their object is not done before all have succeeded.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

local function is(condition, truth)
  return string.lower(tostring(condition.status)) == truth
end

function InterpretHealth(obj)
  local status, metadata, ready = obj.status or {}, obj.metadata or {}, nil
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "Ready" then
      ready = condition
    end
  end
  if metadata.deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif not ready then
    return answer("Progressing", "NotReported", "the controller has not reported Ready yet")
  elseif is(ready, "false") then
    return answer("Degraded", ready.reason or "NotReady", ready.message)
  elseif (ready.observedGeneration or math.huge) < (metadata.generation or 0) then
    return answer("Progressing", "StaleStatus", "the condition is of an older generation")
  elseif not is(ready, "true") then
    return answer("Progressing", ready.reason or "NotReady", ready.message)
  end
  local waiting
  for _, environment in ipairs(status.environments or {}) do
    local phase, branch = environment.phase or "pending", environment.branch or "an environment"
    if phase == "failure" then
      return answer("Degraded", "CheckFailed", "the check of " .. branch .. " failed")
    elseif phase ~= "success" then
      waiting = waiting or answer("Progressing", "CheckPending", "the check of " .. branch .. " is " .. phase)
    end
  end
  return waiting or answer("Healthy", ready.reason or "Ready", ready.message)
end
