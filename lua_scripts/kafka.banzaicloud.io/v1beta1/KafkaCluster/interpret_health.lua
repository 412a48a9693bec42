-- Brokers differ from the wanted configuration while an upgrade rolls through them; if they still do once the cluster is
-- running, the change did not reach them. Cruise Control tells how adding or removing a broker went.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

function InterpretHealth(obj)
  local status, outdated, failed = obj.status or {}, {}, {}
  local state = status.state or ""
  for id, broker in pairs(status.brokersState or {}) do
    local action = (broker.gracefulActionState or {}).cruiseControlState or ""
    if string.find(action, "Error$") or string.find(action, "Failed$") then
      failed[#failed + 1] = tostring(id)
    elseif broker.configurationState == "ConfigOutOfSync" then
      outdated[#outdated + 1] = tostring(id)
    end
  end
  table.sort(failed)
  table.sort(outdated)
  if #failed > 0 then
    return answer("Degraded", "GracefulActionFailed", "brokers: " .. table.concat(failed, ", "))
  elseif (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif state == "ClusterRunning" and #outdated > 0 then
    return answer("Degraded", "ConfigOutOfSync", "brokers: " .. table.concat(outdated, ", "))
  elseif state == "ClusterRunning" then
    return answer("Healthy", state, "all brokers are in sync")
  end
  return answer("Progressing", state ~= "" and state or "NoState", "the cluster is not running yet, or not as wanted")
end
