-- jobDeploymentStatus is KubeRay's view and decides; jobStatus, Ray's own, tells how a finished or
-- running job goes.
local failed = { Failed = true, ValidationFailed = true }
local broken = { FAILED = true, STOPPED = true }

local function assess(obj)
  local status = obj.status or {}
  local phase, job = status.jobDeploymentStatus or "", status.jobStatus or ""
  local over = phase == "Complete"
  local healthy = phase == "Running" or (over and job == "SUCCEEDED")
  local word = healthy and "Healthy" or "Progressing"
  if failed[phase] or (broken[job] and (over or phase == "Running")) then
    word = "Degraded"
  elseif phase == "Suspended" then
    word = "Suspended"
  elseif healthy and (status.observedGeneration or 0) < ((obj.metadata or {}).generation or 0) then
    word = "Progressing"
  end
  local text = "job is " .. (job == "" and "not submitted" or job)
  return {
    status = word,
    reason = status.reason or (phase == "" and "New" or phase),
    message = status.message or text,
    healthy = healthy,
  }
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
