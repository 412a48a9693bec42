-- Each member syncs its own copy: the worst health and sync state stand. What an operation did is left out.
local HEALTH = { Healthy = 1, Suspended = 2, Progressing = 3, Missing = 4, Degraded = 5, Unknown = 6 }
local SYNC = { Synced = 1, OutOfSync = 2, Unknown = 3 }

-- A member that has not reported is pending; the members with the worst state say why.
local function worst(items, field, ranks, pending)
  local folded = nil
  for _, item in ipairs(items) do
    local own = (item.status or {})[field] or {}
    local state = ranks[own.status] and own.status or pending
    if folded == nil or ranks[state] > ranks[folded.status] then
      folded = { status = state }
    end
    if state == folded.status and (own.message or "") ~= "" then
      local before = folded.message and folded.message .. ", " or ""
      folded.message = before .. (item.clusterName or "") .. "=" .. own.message
    end
  end
  return folded
end

-- Conditions are errors and warnings: they have no status, and stand while they are there.
local function joined(items)
  local conditions, known = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local first = known[condition.type or ""] or condition
      condition.message = (item.clusterName or "") .. "=" .. (condition.message or "")
      if first == condition then
        known[condition.type or ""] = condition
        conditions[#conditions + 1] = condition
      else
        first.message = first.message .. ", " .. condition.message
        if (condition.lastTransitionTime or "") > (first.lastTransitionTime or "") then
          first.lastTransitionTime = condition.lastTransitionTime
        end
      end
    end
  end
  return #conditions > 0 and conditions or nil
end

function AggregateStatus(desired, items)
  items = items or {}
  local status = { health = worst(items, "health", HEALTH, "Progressing"), conditions = joined(items) }
  status.sync = worst(items, "sync", SYNC, "Unknown")
  local revision = (((items[1] or {}).status or {}).sync or {}).revision
  for _, item in ipairs(items) do
    local member = item.status or {}
    revision = (member.sync or {}).revision == revision and revision or nil
    if (member.reconciledAt or "") > (status.reconciledAt or "") then
      status.reconciledAt = member.reconciledAt
    end
  end
  if status.sync then
    status.sync.revision = revision
  end
  desired.status = next(status) ~= nil and status or nil
  return desired
end
