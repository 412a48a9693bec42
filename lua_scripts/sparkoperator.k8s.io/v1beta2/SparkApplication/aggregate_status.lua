-- A state that is not listed ranks as UNKNOWN: nobody knows that it is harmless.
local ranks = {
  COMPLETED = 1,
  SUCCEEDING = 2,
  RUNNING = 3,
  [""] = 4,
  SUBMITTED = 5,
  RESUMING = 6,
  SUSPENDED = 7,
  SUSPENDING = 8,
  PENDING_RERUN = 9,
  INVALIDATING = 10,
  UNKNOWN = 11,
  SUBMISSION_FAILED = 12,
  FAILED = 13,
  FAILING = 14,
}

local function rank(state)
  return ranks[state] or ranks.UNKNOWN
end

local function later(one, other)
  return other ~= nil and other > one and other or one
end

function AggregateStatus(desired, items)
  if items == nil then
    return desired
  end
  if #items == 1 then
    desired.status = items[1].status
    return desired
  end
  local state
  local executors = {}
  local status = {
    executionAttempts = 0,
    submissionAttempts = 0,
    lastSubmissionAttemptTime = "",
    terminationTime = "",
  }
  for _, item in ipairs(items) do
    local member = item.status or {}
    status.executionAttempts = status.executionAttempts + (member.executionAttempts or 0)
    status.submissionAttempts = status.submissionAttempts + (member.submissionAttempts or 0)
    status.lastSubmissionAttemptTime = later(status.lastSubmissionAttemptTime, member.lastSubmissionAttemptTime)
    status.terminationTime = later(status.terminationTime, member.terminationTime)
    local own = (member.applicationState or {}).state
    if own ~= nil and (state == nil or rank(own) > rank(state)) then
      state = own
    end
    for name, executor in pairs(member.executorState or {}) do
      executors[name] = executor
      status.executorState = executors
    end
  end
  if state ~= nil then
    status.applicationState = { state = state }
  end
  desired.status = status
  return desired
end
