-- Counters are summed, the last phase counts. One failed member fails the whole; complete is only what every member
-- has completed. Without any list of members the template stays as it is.
local COUNTERS = { "active", "desired", "failed", "succeeded" }

local function finished(status, kind)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == kind and condition.status == "True" then
      return true
    end
  end
  return false
end

function AggregateStatus(desired, items)
  if items == nil then
    return desired
  end
  local status = { active = 0, desired = 0, failed = 0, succeeded = 0, phase = "" }
  local failed, completed = {}, 0
  for _, item in ipairs(items) do
    local member = item.status or {}
    for _, field in ipairs(COUNTERS) do
      status[field] = status[field] + (member[field] or 0)
    end
    if (member.phase or "") ~= "" then
      status.phase = member.phase
    end
    if finished(member, "Failed") then
      failed[#failed + 1] = item.clusterName
    elseif finished(member, "Complete") then
      completed = completed + 1
    end
  end
  if #failed > 0 then
    local message = "Job executed failed in member clusters: " .. table.concat(failed, ", ")
    status.conditions = { { type = "Failed", status = "True", reason = "JobFailed", message = message } }
  elseif completed > 0 and completed == #items then
    status.conditions = { { type = "Completed", status = "True", reason = "Completed", message = "Job completed" } }
  end
  desired.status = status
  return desired
end
