-- A schedule is healthy unless its last use failed; before the first run there is no status at all.
local FAILURES = { SpecError = true, SubmissionError = true }

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status = obj.status or {}
  for _, condition in ipairs(status.conditions or {}) do
    if FAILURES[condition.type] and condition.status == "True" then
      return { status = "Degraded", reason = condition.type, message = condition.message }
    end
  end
  if (obj.spec or {}).suspend == true then
    return { status = "Suspended", reason = "Suspended", message = "the schedule is suspended" }
  elseif status.phase == "Stopped" then
    return { status = "Suspended", reason = "Stopped", message = "the stop strategy has ended the schedule" }
  end
  return { status = "Healthy", reason = "Scheduled", message = "the schedule is accepted" }
end
