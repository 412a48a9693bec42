-- Conditions tell of what the rollout made. While that is paused its own health is not known, which is no fault; a
-- rollout whose phase is Pending has not been able, or does not want yet, to bring out the change.
local function answer(status, condition, reason, message)
  local text = message or condition.message or ""
  return { status = status, reason = reason or condition.reason or condition.type, message = string.match(text, "[^\r\n]+") }
end

local function judge(condition)
  local kind, truth, reason = condition.type or "", condition.status, condition.reason or ""
  if string.find(kind, "Paus") then
    if truth == "True" then
      return string.find(reason, "Paused$") and "Healthy" or "Progressing"
    end
  elseif truth == "False" then
    return reason == "Progressing" and "Progressing" or "Degraded"
  elseif truth ~= "True" then
    return "Progressing"
  end
end

function InterpretHealth(obj)
  local status, metadata, paused, waiting = obj.status or {}, obj.metadata or {}, nil, nil
  local phase, generation = status.phase or "", metadata.generation or 0
  local observed = status.observedGeneration or generation
  for _, condition in ipairs(status.conditions or {}) do
    local word = judge(condition)
    if word == "Degraded" then
      return answer(word, condition)
    elseif word == "Healthy" then
      paused = answer(word, condition)
    elseif word then
      waiting = answer(word, condition)
    end
  end
  if phase == "Failed" then
    return answer("Degraded", {}, phase, status.message)
  elseif metadata.deletionTimestamp then
    return answer("Progressing", {}, "Terminating", "deletion was requested")
  elseif observed < generation then
    return answer("Progressing", {}, "StaleStatus", "the status is of an older generation")
  elseif phase ~= "Deployed" then
    return answer("Progressing", {}, phase ~= "" and phase or "NoPhase", status.message or "not rolled out yet")
  elseif (status.upgradeInProgress or "") ~= "" then
    return answer("Progressing", {}, "UpgradeInProgress", "an upgrade is under way: " .. status.upgradeInProgress)
  end
  return paused or waiting or answer("Healthy", {}, phase, status.message)
end
