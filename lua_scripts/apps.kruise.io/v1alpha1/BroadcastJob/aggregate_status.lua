-- Counters are summed, the last phase counts. One failed member fails the whole; complete is only what every member
-- has completed. Without any list of members the template stays as it is.
local COUNTERS = { "active", "desired", "failed", "succeeded" }
local TEXTS = { "phase" }

local function isTrue(status, kind)
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
  local status, failed, completed = {}, {}, 0
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
    for _, item in ipairs(items) do
      status[field] = status[field] + ((item.status or {})[field] or 0)
    end
  end
  for _, field in ipairs(TEXTS) do
    status[field] = ""
    for _, item in ipairs(items) do
      local text = (item.status or {})[field] or ""
      status[field] = text ~= "" and text or status[field]
    end
  end
  for _, item in ipairs(items) do
    local member = item.status or {}
    if isTrue(member, "Failed") then
      failed[#failed + 1] = item.clusterName
    elseif isTrue(member, "Complete") then
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
