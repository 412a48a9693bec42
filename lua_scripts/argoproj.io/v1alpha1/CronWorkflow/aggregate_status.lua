-- Every member runs the schedule on its own: runs are listed and counted together, and one member's error is an error.
local FAILURES = { "SpecError", "SubmissionError" }

local function errorOf(items, kind)
  local folded
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      if condition.type == kind and condition.status == "True" then
        local message = item.clusterName .. "=" .. (condition.message or "")
        folded = { type = kind, status = "True", message = folded and folded.message .. ", " .. message or message }
      end
    end
  end
  return folded
end

function AggregateStatus(desired, items)
  items = items or {}
  local status = { succeeded = 0, failed = 0 }
  local active, conditions, stopped = {}, {}, 0
  for _, item in ipairs(items) do
    local own = item.status or {}
    for _, reference in ipairs(own.active or {}) do
      active[#active + 1] = reference
    end
    status.succeeded = status.succeeded + (own.succeeded or 0)
    status.failed = status.failed + (own.failed or 0)
    if own.lastScheduledTime ~= nil and own.lastScheduledTime > (status.lastScheduledTime or "") then
      status.lastScheduledTime = own.lastScheduledTime
    end
    if own.phase == "Stopped" then
      stopped = stopped + 1
    end
  end
  for _, kind in ipairs(FAILURES) do
    conditions[#conditions + 1] = errorOf(items, kind)
  end
  if #items > 0 then
    status.phase = stopped == #items and "Stopped" or "Active"
  end
  status.active = #active > 0 and active or nil
  status.conditions = #conditions > 0 and conditions or nil
  desired.status = status
  return desired
end
