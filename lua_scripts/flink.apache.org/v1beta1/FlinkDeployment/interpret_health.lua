-- A job that cannot pull its image or crashes at once is not helped by moving it, so it counts as
-- healthy for placing; the word says what it is. An ended job, failed or not, needs no other place.
local starting = { CREATED = true, INITIALIZING = true, RECONCILING = true }
local words = {
  RUNNING = "Healthy",
  FINISHED = "Healthy",
  CANCELED = "Healthy",
  SUSPENDED = "Suspended",
  CANCELLING = "Progressing",
  RESTARTING = "Progressing",
  FAILING = "Degraded",
  FAILED = "Degraded",
}

local function hopeless(text)
  for _, reason in ipairs({ "ImagePullBackOff", "ErrImagePull", "CrashLoopBackOff" }) do
    if string.find(text, reason, 1, true) then
      return true
    end
  end
  return false
end

function InterpretHealth(obj)
  local status = obj.status or {}
  local job = status.jobStatus or {}
  local state = job.state
  local failure = status.error or ""
  local stale = (status.observedGeneration or 0) < ((obj.metadata or {}).generation or 0)
  local manager, lifecycle = status.jobManagerDeploymentStatus or "", status.lifecycleState or ""
  local word, reason, healthy
  if state == nil then
    healthy = manager == "READY" and lifecycle == "STABLE"
    word = healthy and "Healthy" or "Progressing"
    reason = lifecycle ~= "" and lifecycle or manager
    if lifecycle == "SUSPENDED" then
      word = "Suspended"
    elseif failure ~= "" or lifecycle == "FAILED" or manager == "ERROR" then
      word = "Degraded"
    end
  elseif starting[state] then
    healthy = hopeless(failure)
    word = failure ~= "" and "Degraded" or "Progressing"
    reason = state
  else
    healthy = words[state] ~= nil
    word = words[state] or "Unknown"
    reason = state
  end
  if word == "Healthy" and (stale or lifecycle == "UPGRADING" or lifecycle == "ROLLING_BACK") then
    word = "Progressing"
  end
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested", healthy = healthy }
  end
  local message = failure ~= "" and failure or ("job " .. (state or "not reported") .. ", JobManager " .. manager)
  return { status = word, reason = reason ~= "" and reason or "New", message = message, healthy = healthy }
end
