-- Ready says whether the application can be protected; its False is a finding, not a beginning.
local STATUS = { True = "Healthy", False = "Degraded" }

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  for _, condition in ipairs((obj.status or {}).conditions or {}) do
    if condition.type == "Ready" then
      local status = STATUS[condition.status] or "Progressing"
      return { status = status, reason = condition.reason or "Ready", message = condition.message }
    end
  end
  return { status = "Progressing", reason = "NoStatus", message = "the controller has not looked at it yet" }
end
