-- A backup ends as Completed or failed, in part or as a whole. Two phases under way already tell that a part
-- failed.
local MEANING = {
  Completed = "Healthy",
  FailedValidation = "Degraded",
  Failed = "Degraded",
  PartiallyFailed = "Degraded",
  FinalizingPartiallyFailed = "Degraded",
  WaitingForPluginOperationsPartiallyFailed = "Degraded",
}

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status = obj.status or {}
  local phase = (status.phase or "") ~= "" and status.phase or "New"
  local message = status.failureReason
  if (message or "") == "" then
    message = (status.validationErrors or {})[1]
  end
  if not message and (status.errors or 0) > 0 then
    message = string.format("errors: %d, see the log of the backup", status.errors)
  end
  local line = string.match(message or "", "[^\r\n]+")
  return { status = MEANING[phase] or "Progressing", reason = phase, message = line }
end
