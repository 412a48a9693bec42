-- That it is created says nothing of how it runs: the connector has a state of its own, and tasks that fail by themselves.
local STATES = { FAILED = "Degraded", PAUSED = "Suspended", STOPPED = "Suspended", RUNNING = "Healthy" }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

function InterpretHealth(obj)
  local status, created = obj.status or {}, {}
  local state, running = status.state or status.appState or "", status.connectorState or ""
  local tasks, failed = status.tasksReady or "", next(status.failedTasks or {})
  local ready, total = string.match(tasks, "^(%d+)/(%d+)$")
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "platform.confluent.io/app-ready" then
      created = condition
    end
  end
  if string.find(string.upper(state), "ERROR") or string.find(string.upper(state), "FAIL") then
    return answer("Degraded", state, created.message)
  elseif STATES[running] == "Degraded" or failed ~= nil or (status.failedTasksCount or 0) > 0 then
    local text = tasks ~= "" and tasks .. " tasks are ready" or nil
    return answer("Degraded", STATES[running] == "Degraded" and running or "TasksFailed", text)
  elseif (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif created.status == "False" or STATES[running] == nil then
    return answer("Progressing", created.reason or "NotReported", created.message or "Connect has not reported yet")
  elseif STATES[running] == "Healthy" and ready and tonumber(ready) < tonumber(total) then
    return answer("Progressing", "TasksNotReady", tasks .. " tasks are ready")
  end
  return answer(STATES[running], running, tasks ~= "" and tasks .. " tasks are ready" or nil)
end
