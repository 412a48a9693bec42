-- It is configuration: without a status, as older operators leave it, it is as good as it can be. A workload
-- that selects it may refuse it.
local function current(obj, condition)
  local generation, observed = (obj.metadata or {}).generation, condition.observedGeneration
  return generation == nil or observed == nil or observed >= generation
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local waiting = false
  for _, binding in ipairs((obj.status or {}).bindings or {}) do
    for _, condition in ipairs(binding.conditions or {}) do
      if condition.type == "Accepted" and condition.status == "False" then
        local message = (binding.name or "") .. ": " .. (condition.message or "the workload refuses the probe")
        return { status = "Degraded", reason = condition.reason, message = message }
      end
      if condition.type == "Accepted" and (condition.status ~= "True" or not current(obj, condition)) then
        waiting = true
      end
    end
  end
  if waiting then
    return { status = "Progressing", reason = "NotAccepted", message = "a workload has not accepted the latest change yet" }
  end
  return true
end
