-- A ready policy is enforced. `ready` came before the condition Ready and still decides where it is set; else the
-- boolean asks the condition for reason Succeeded, too, as control planes have it.
local function assess(obj)
  local status = obj.status or {}
  local ready
  local healthy = false
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "Ready" then
      local good = condition.status == "True"
      healthy = healthy or good and condition.reason == "Succeeded"
      if good or not ready then
        ready = condition
      end
    end
  end
  if status.ready ~= nil then
    healthy = status.ready == true
  end
  local answer = { status = "Progressing", reason = "NotReady", healthy = healthy }
  if healthy or status.ready == nil and ready and ready.status == "True" then
    answer.status, answer.reason = "Healthy", "Ready"
  elseif ready and ready.status == "False" then
    answer.status = "Degraded"
  end
  answer.reason = ready and ready.reason or answer.reason
  answer.message = ready and ready.message
  return answer
end

-- A deletion changes nothing about the boolean.
function InterpretHealth(obj)
  local health = assess(obj)
  if not (obj.metadata or {}).deletionTimestamp then
    return health
  end
  local healthy = health.healthy
  return { status = "Progressing", reason = "Terminating", message = "deletion was requested", healthy = healthy }
end
