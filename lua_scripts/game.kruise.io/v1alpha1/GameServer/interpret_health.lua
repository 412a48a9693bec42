-- A game server is there once its state is the desired one; its pod, its node and its network can still fail it.
local STATES = { Crash = "Degraded", Unknown = "Unknown" }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

local function firstFalse(conditions)
  for _, condition in ipairs(conditions or {}) do
    if condition.status == "False" then
      return condition
    end
  end
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status = obj.status or {}
  local state, desired, network = status.currentState or "", status.desiredState or "Ready", status.networkStatus or {}
  local current, wanted = network.currentNetworkState, network.desiredNetworkState
  local failed = firstFalse(status.conditions)
  if not failed and state == "Ready" then
    failed = firstFalse((status.podStatus or {}).conditions)
  end
  if state == "" then
    return answer("Progressing", "NoState", "the controller has not reported yet")
  elseif failed then
    return answer("Degraded", failed.reason or failed.type, failed.message or (failed.type or "") .. " is False")
  elseif STATES[state] or state ~= desired then
    return answer(STATES[state] or "Progressing", state, "the desired state is " .. desired)
  elseif wanted and current ~= wanted then
    return answer("Progressing", "NetworkNotReady", "the network is not " .. wanted .. " yet")
  end
  return answer("Healthy", state, "the state is the desired one")
end
