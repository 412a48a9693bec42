-- Every member runs the schedule on its own: runs are listed and counted together, and one member's error is an error.
local COUNTERS = { "succeeded", "failed" }

local function errorOf(items, kind)
  local folded = nil
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      if condition.type == kind and condition.status == "True" then
        local message = (item.clusterName or "") .. "=" .. (condition.message or "")
        folded = { type = kind, status = "True", message = folded and folded.message .. ", " .. message or message }
      end
    end
  end
  return folded
end

function AggregateStatus(desired, items)
  items = items or {}
  local status = {}
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
    for _, item in ipairs(items) do
      status[field] = status[field] + ((item.status or {})[field] or 0)
    end
  end
  local active, stopped = {}, 0
  for _, item in ipairs(items) do
    local member = item.status or {}
    for _, run in ipairs(member.active or {}) do
      active[#active + 1] = run
    end
    if (member.lastScheduledTime or "") > (status.lastScheduledTime or "") then
      status.lastScheduledTime = member.lastScheduledTime
    end
    stopped = stopped + (member.phase == "Stopped" and 1 or 0)
  end
  if #items > 0 then
    status.phase = stopped == #items and "Stopped" or "Active"
  end
  local conditions = { errorOf(items, "SpecError") }
  conditions[#conditions + 1] = errorOf(items, "SubmissionError")
  status.conditions = #conditions > 0 and conditions or nil
  status.active = #active > 0 and active or nil
  desired.status = status
  return desired
end
