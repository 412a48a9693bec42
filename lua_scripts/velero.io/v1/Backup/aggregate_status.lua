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

function AggregateStatus(desired, items)
  items = items or {}
  local status, progress = {}, { totalItems = 0, itemsBackedUp = 0 }
  local starts, finishes, expirations, reasons = {}, {}, {}, {}
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
    for _, item in ipairs(items) do
      status[field] = status[field] + ((item.status or {})[field] or 0)
    end
  end
  for _, item in ipairs(items) do
    local member = item.status or {}
    -- A phase that is unknown here counts as New.
    local phase = RANK[member.phase] and member.phase or "New"
    if status.phase == nil or RANK[phase] < RANK[status.phase] then
      status.phase = phase
    end
    for field, count in pairs(progress) do
      progress[field] = count + ((member.progress or {})[field] or 0)
    end
    local reason = (member.failureReason or "") ~= "" and member.failureReason or (member.validationErrors or {})[1]
    reasons[#reasons + 1] = reason and (item.clusterName or "") .. "=" .. reason
    table.insert(starts, member.startTimestamp)
    table.insert(finishes, member.completionTimestamp)
    table.insert(expirations, member.expiration)
  end
  table.sort(starts)
  table.sort(finishes)
  table.sort(expirations)
  status.startTimestamp, status.expiration = starts[1], expirations[1]
  status.completionTimestamp = #finishes == #items and finishes[#finishes] or nil
  status.failureReason = #reasons > 0 and table.concat(reasons, ", ") or nil
  status.progress = progress
  desired.status = status
  return desired
end
