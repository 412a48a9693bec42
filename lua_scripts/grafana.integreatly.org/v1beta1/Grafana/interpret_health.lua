-- The operator goes through stages, each of which succeeds, fails or is in progress; it is done with the last one.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status, found = obj.status or {}, nil
  local stage, result, message = status.stage or "", status.stageStatus or "", status.lastMessage
  message = message ~= "" and message or nil
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "GrafanaReady" then
      found = condition
    end
  end
  if result == "failed" then
    return answer("Degraded", "StageFailed", message or "stage " .. stage .. " failed")
  elseif found and found.status == "False" then
    return answer("Degraded", found.reason or "NotReady", found.message)
  elseif (obj.spec or {}).suspend then
    return answer("Suspended", "Suspended", "spec.suspend is true")
  elseif stage == "complete" and result ~= "in progress" then
    return answer("Healthy", "Complete", "all stages are complete")
  elseif stage == "" and found and found.status == "True" then
    return answer("Healthy", found.reason or "Ready", found.message)
  end
  return answer("Progressing", "StageInProgress", stage ~= "" and "at stage " .. stage or "no stage is reached yet")
end
