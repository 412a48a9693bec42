-- The phase is the worst, failures first, then what is furthest from its end. Hooks and versions are left out.
local RANK = {
  FailedValidation = 1, Failed = 2, PartiallyFailed = 3, WaitingForPluginOperationsPartiallyFailed = 4,
  FinalizingPartiallyFailed = 5, Deleting = 6, New = 7, Queued = 8, ReadyToStart = 9, InProgress = 10,
  WaitingForPluginOperations = 11, Finalizing = 12, Completed = 13,
}
local COUNTERS = {
  "warnings", "errors", "volumeSnapshotsAttempted", "volumeSnapshotsCompleted", "csiVolumeSnapshotsAttempted",
  "csiVolumeSnapshotsCompleted", "backupItemOperationsAttempted", "backupItemOperationsCompleted",
  "backupItemOperationsFailed",
}

local function earliest(a, b)
  return (a == nil or (b ~= nil and b < a)) and b or a
end

local function latest(a, b)
  return (a == nil or (b ~= nil and b > a)) and b or a
end

local function add(sums, counts, fields)
  for _, field in ipairs(fields) do
    sums[field] = (sums[field] or 0) + (counts[field] or 0)
  end
end

function AggregateStatus(desired, items)
  items = items or {}
  local status, failures, ended = { progress = { totalItems = 0, itemsBackedUp = 0 } }, {}, 0
  add(status, {}, COUNTERS)
  for _, item in ipairs(items) do
    local own = item.status or {}
    add(status, own, COUNTERS)
    add(status.progress, own.progress or {}, { "totalItems", "itemsBackedUp" })
    -- A phase that is unknown here counts as New.
    local phase = RANK[own.phase] and own.phase or "New"
    if not status.phase or RANK[phase] < RANK[status.phase] then
      status.phase = phase
    end
    local reason = (own.failureReason or "") ~= "" and own.failureReason or (own.validationErrors or {})[1]
    if reason then
      failures[#failures + 1] = (item.clusterName or "") .. "=" .. reason
    end
    status.startTimestamp = earliest(status.startTimestamp, own.startTimestamp)
    status.expiration = earliest(status.expiration, own.expiration)
    status.completionTimestamp = latest(status.completionTimestamp, own.completionTimestamp)
    ended = ended + (own.completionTimestamp and 1 or 0)
  end
  status.completionTimestamp = ended == #items and status.completionTimestamp or nil
  status.failureReason = #failures > 0 and table.concat(failures, ", ") or nil
  desired.status = status
  return desired
end
