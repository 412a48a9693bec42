-- Only Failed calls for another place: what Volcano or a person aborts, restarts or ends is on its way
-- or done. The word tells which.
local words = {
  Pending = "Progressing",
  Running = "Healthy",
  Restarting = "Progressing",
  Completing = "Progressing",
  Completed = "Healthy",
  Aborting = "Progressing",
  Aborted = "Suspended",
  Terminating = "Progressing",
  Terminated = "Degraded",
}

local function assess(obj)
  local state = (obj.status or {}).state or {}
  local phase = state.phase or ""
  local message = state.message or state.reason or ("job is " .. (phase == "" and "new" or phase))
  local word = words[phase] or "Unknown"
  if phase == "" then
    word = "Progressing"
  elseif phase == "Failed" then
    word = "Degraded"
  end
  return {
    status = word,
    reason = state.reason or (phase == "" and "New" or phase),
    message = message,
    healthy = words[phase] ~= nil,
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
