-- Release 0.1 says success, later ones a state; either means that the last change was applied.
local function assess(obj)
  local status = obj.status or {}
  local change = status.reconciliationStatus or {}
  local manager = status.jobManagerDeploymentStatus or ""
  local job = (status.jobStatus or {}).state or ""
  local wanted = ((obj.spec or {}).job or {}).state
  local reason = manager ~= "" and manager or "New"
  if (change.error or "") ~= "" or change.success == false or manager == "ERROR" or job == "FAILED" then
    local message = (change.error or "") ~= "" and change.error or "JobManager " .. manager .. ", job " .. job
    return { status = "Degraded", reason = manager == "ERROR" and manager or "ReconciliationFailed", message = message }
  end
  local applied = change.success == true or change.state == "DEPLOYED"
  local gone = wanted == "suspended" and job == "SUSPENDED"
  local up = manager == "READY" and (wanted == nil or job == "RUNNING")
  if applied and (up or gone) then
    return { status = "Healthy", reason = reason, message = "job " .. job }
  end
  return { status = "Progressing", reason = reason, message = "waiting for the JobManager and its job" }
end

-- A deletion changes nothing about the boolean.
function InterpretHealth(obj)
  local health = assess(obj)
  if not (obj.metadata or {}).deletionTimestamp then
    return health
  end
  local healthy = health.healthy
  if healthy == nil then
    healthy = health.status == "Healthy" or health.status == "Suspended" or nil
  end
  return { status = "Progressing", reason = "Terminating", message = "deletion was requested", healthy = healthy }
end
