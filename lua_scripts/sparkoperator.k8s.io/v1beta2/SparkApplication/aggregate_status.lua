-- One member speaks for itself. Of many the worst state stands, and attempts are summed. A state that is not listed
-- ranks as UNKNOWN: nobody knows that it is harmless.
local COUNTERS = { "executionAttempts", "submissionAttempts" }
local RANK = {
  COMPLETED = 1, SUCCEEDING = 2, RUNNING = 3, [""] = 4, SUBMITTED = 5, RESUMING = 6, SUSPENDED = 7, SUSPENDING = 8,
  PENDING_RERUN = 9, INVALIDATING = 10, UNKNOWN = 11, SUBMISSION_FAILED = 12, FAILED = 13, FAILING = 14,
}

local function latest(items, field)
  local time = ""
  for _, item in ipairs(items) do
    local own = (item.status or {})[field] or ""
    time = own > time and own or time
  end
  return time
end

function AggregateStatus(desired, items)
  if items == nil then
    return desired
  end
  if #items == 1 then
    desired.status = items[1].status
    return desired
  end
  local status, executors, worst = {}, {}, 0
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
    for _, item in ipairs(items) do
      status[field] = status[field] + ((item.status or {})[field] or 0)
    end
  end
  status.lastSubmissionAttemptTime = latest(items, "lastSubmissionAttemptTime")
  status.terminationTime = latest(items, "terminationTime")
  for _, item in ipairs(items) do
    local member = item.status or {}
    local state = (member.applicationState or {}).state
    local rank = state and (RANK[state] or RANK.UNKNOWN) or 0
    if rank > worst then
      worst, status.applicationState = rank, { state = state }
    end
    for name, executor in pairs(member.executorState or {}) do
      executors[name] = executor
    end
  end
  status.executorState = next(executors) ~= nil and executors or nil
  desired.status = status
  return desired
end
