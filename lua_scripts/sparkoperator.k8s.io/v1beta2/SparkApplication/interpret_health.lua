-- What still moves or may be tried again counts as healthy for placing it; only FAILED is final. The
-- word beside it tells what the state means.
local words = {
  [""] = "Progressing",
  SUBMITTED = "Progressing",
  RUNNING = "Healthy",
  SUCCEEDING = "Progressing",
  COMPLETED = "Healthy",
  PENDING_RERUN = "Progressing",
  INVALIDATING = "Progressing",
  SUSPENDING = "Progressing",
  SUSPENDED = "Suspended",
  RESUMING = "Progressing",
  FAILING = "Degraded",
  FAILED = "Degraded",
  SUBMISSION_FAILED = "Degraded",
}

-- With dynamic allocation only the minimum is promised; it may also be set in sparkConf.
local function promised(spec)
  local dynamic, conf = spec.dynamicAllocation or {}, spec.sparkConf or {}
  if dynamic.enabled then
    return dynamic.minExecutors or 0
  end
  if tostring(conf["spark.dynamicAllocation.enabled"]) == "true" then
    return tonumber(conf["spark.dynamicAllocation.minExecutors"] or 0) or 0
  end
  return (spec.executor or {}).instances or 0
end

function InterpretHealth(obj)
  local status = obj.status or {}
  local application = status.applicationState or {}
  local state = application.state
  if state == nil then
    return { status = "Progressing", reason = "New", message = "the operator has not seen it yet" }
  end
  local word, message = words[state] or "Unknown", application.errorMessage
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested", healthy = state ~= "FAILED" }
  end
  if state == "RUNNING" then
    local started = 0
    for _, executor in pairs(status.executorState or {}) do
      if executor == "RUNNING" or executor == "COMPLETED" then
        started = started + 1
      end
    end
    local wanted = promised(obj.spec or {})
    if started < wanted then
      word = "Progressing"
      message = started .. " of " .. wanted .. " executors run"
    end
  end
  if message == nil or message == "" then
    message = "application is " .. (state == "" and "NEW" or state)
  end
  return { status = word, reason = state == "" and "New" or state, message = message, healthy = state ~= "FAILED" }
end
