-- Ready is False while the operator works and when it could not: only the reasons for work are known, all others name
-- the step that failed.
local UNDER_WAY = {
  Reconciling = "Progressing", Pending = "Progressing", GettingDevDB = "Progressing", ApprovalPending = "Suspended",
}

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  for _, condition in ipairs((obj.status or {}).conditions or {}) do
    if condition.type == "Ready" then
      local reason, message = condition.reason or "Ready", string.match(condition.message or "", "[^\r\n]+")
      local word = condition.status == "False" and "Degraded" or "Progressing"
      -- What it waits for is no error, but what it could not do on the way to it is.
      if UNDER_WAY[reason] and not string.find(string.lower(message or ""), "^error") then
        word = UNDER_WAY[reason]
      end
      return { status = condition.status == "True" and "Healthy" or word, reason = reason, message = message }
    end
  end
  return { status = "Progressing", reason = "NoStatus", message = "the operator has not looked at it yet" }
end
