-- The phase is the worst, failures first, then what is furthest from its end; a phase unknown here counts as
-- New.
local RANK = {
  FailedValidation = 1,
  Failed = 2,
  PartiallyFailed = 3,
  WaitingForPluginOperationsPartiallyFailed = 4,
  FinalizingPartiallyFailed = 5,
  Deleting = 6,
  New = 7,
  Queued = 8,
  ReadyToStart = 9,
  InProgress = 10,
  WaitingForPluginOperations = 11,
  Finalizing = 12,
  Completed = 13,
}
local COUNTERS = {
  "warnings",
  "errors",
  "volumeSnapshotsAttempted",
  "volumeSnapshotsCompleted",
  "csiVolumeSnapshotsAttempted",
  "csiVolumeSnapshotsCompleted",
  "backupItemOperationsAttempted",
  "backupItemOperationsCompleted",
  "backupItemOperationsFailed",
}
local AGREED = { "version", "formatVersion" }

local function add(total, counts, fields)
  for _, field in ipairs(fields) do
    total[field] = (total[field] or 0) + (counts[field] or 0)
  end
end

-- The earliest or latest time; with every, only once every member has one.
local function bound(items, field, latest, every)
  local result
  for _, item in ipairs(items) do
    local time = (item.status or {})[field]
    if time and (not result or (time > result) == latest) then
      result = time
    elseif every and not time then
      return nil
    end
  end
  return result
end

function AggregateStatus(desired, items)
  items = items or {}
  local progress, hooks, errors, failures = {}, {}, {}, {}
  local status = {
    progress = progress,
    hookStatus = hooks,
    startTimestamp = bound(items, "startTimestamp", false),
    completionTimestamp = bound(items, "completionTimestamp", true, true),
    expiration = bound(items, "expiration", false),
  }
  add(status, {}, COUNTERS)
  add(progress, {}, { "totalItems", "itemsBackedUp" })
  add(hooks, {}, { "hooksAttempted", "hooksFailed" })
  for index, item in ipairs(items) do
    local own, cluster = item.status or {}, item.clusterName or ""
    local phase = RANK[own.phase] and own.phase or "New"
    if not status.phase or RANK[phase] < RANK[status.phase] then
      status.phase = phase
    end
    add(status, own, COUNTERS)
    add(progress, own.progress or {}, { "totalItems", "itemsBackedUp" })
    add(hooks, own.hookStatus or {}, { "hooksAttempted", "hooksFailed" })
    for _, text in ipairs(own.validationErrors or {}) do
      errors[#errors + 1] = cluster .. "=" .. text
    end
    if (own.failureReason or "") ~= "" then
      failures[#failures + 1] = cluster .. "=" .. own.failureReason
    end
    for _, field in ipairs(AGREED) do
      status[field] = (index == 1 or status[field] == own[field]) and own[field] or nil
    end
  end
  status.validationErrors = #errors > 0 and errors or nil
  status.failureReason = #failures > 0 and table.concat(failures, ", ") or nil
  desired.status = status
  return desired
end
