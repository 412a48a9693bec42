-- The boolean is that of the counters alone: pods are wanted, none failed, and some run or have succeeded.
-- The word says more: how the job ended, or that it is paused.
local function finish(status)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.status == "True" and (condition.type == "Failed" or condition.type == "Complete") then
      return condition
    end
  end
  return {}
end

function InterpretHealth(obj)
  local status = obj.status
  if status == nil then
    return { status = "Progressing", reason = "NoStatus", message = "waits for its controller" }
  end
  -- Only counts that were written tell that nothing happens; it is failures that must be denied.
  local idle = status.active == 0 and status.succeeded == 0
  local healthy = status.desired ~= 0 and status.failed == 0 and not idle
  local failed, condition = status.failed or 0, finish(status)
  if (obj.metadata or {}).deletionTimestamp then
    local message = "deletion was requested"
    return { status = "Progressing", reason = "Terminating", message = message, healthy = healthy }
  end
  if condition.type == "Failed" or status.phase == "failed" then
    return {
      status = "Degraded",
      reason = condition.reason or "Failed",
      message = condition.message or "failed pods: " .. failed,
      healthy = healthy,
    }
  end
  if status.phase == "paused" or (obj.spec or {}).paused then
    local message = "no pods are started while it is paused"
    return { status = "Suspended", reason = "Paused", message = message, healthy = healthy }
  end
  if failed > 0 then
    return { status = "Degraded", reason = "PodsFailed", message = "failed pods: " .. failed, healthy = healthy }
  end
  local progress = (status.succeeded or 0) .. " of " .. (status.desired or 0) .. " pods succeeded"
  if condition.type == "Complete" or status.phase == "completed" then
    return { status = "Healthy", reason = "Complete", message = condition.message or progress, healthy = healthy }
  end
  if status.desired == 0 then
    return { status = "Progressing", reason = "NoNodes", message = "waits for a node to run on", healthy = healthy }
  end
  return { status = "Progressing", reason = "Running", message = progress, healthy = healthy }
end
