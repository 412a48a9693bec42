-- The state is the control plane's own, so it has a time of its own: that of the template's state
-- while it says the same, else now.
local counts = { "minAvailable", "pending", "running", "succeeded", "failed", "terminating", "unknown", "retryCount" }
local units = { h = 3600, m = 60, s = 1, ms = 0.001, us = 0.000001, ["µs"] = 0.000001, ns = 0.000000001 }

-- Go durations such as 1h2m3.5s, in seconds.
local function seconds(text)
  local total = 0
  for number, unit in string.gmatch(text or "", "([%d%.]+)([^%d%.]+)") do
    total = total + (tonumber(number) or 0) * (units[unit] or 0)
  end
  return total
end

local function stateNow(old, phase, reason, message)
  local state = { phase = phase, reason = reason, message = message, lastTransitionTime = os.date("!%Y-%m-%dT%H:%M:%SZ") }
  if old and old.phase == phase and old.message == message and old.lastTransitionTime then
    state.lastTransitionTime = old.lastTransitionTime
  end
  return state
end

local function latestConditions(items)
  local conditions, places = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local key = condition.status or ""
      local place = places[key] or #conditions + 1
      local known = conditions[place] or {}
      if places[key] == nil or (condition.lastTransitionTime or "") > (known.lastTransitionTime or "") then
        conditions[place] = condition
      end
      places[key] = place
    end
  end
  return conditions
end

local function addTasks(status, tasks)
  for name, task in pairs(tasks or {}) do
    for phase, count in pairs(task.phase or {}) do
      local all = status.taskStatusCount or {}
      local own = all[name] or { phase = {} }
      own.phase[phase] = (own.phase[phase] or 0) + count
      all[name] = own
      status.taskStatusCount = all
    end
  end
end

function AggregateStatus(desired, items)
  items = items or {}
  if #items == 1 then
    desired.status = items[1].status
    return desired
  end
  local status, failed, completed, failing = {}, {}, 0, nil
  local longest = 0
  for _, item in ipairs(items) do
    local member = item.status or {}
    for _, field in ipairs(counts) do
      if (member[field] or 0) ~= 0 then
        status[field] = (status[field] or 0) + member[field]
      end
    end
    if (member.version or 0) > (status.version or 0) then
      status.version = member.version
    end
    if seconds(member.runningDuration) > longest then
      longest = seconds(member.runningDuration)
      status.runningDuration = member.runningDuration
    end
    for name, id in pairs(member.controlledResources or {}) do
      status.controlledResources = status.controlledResources or {}
      status.controlledResources[name] = id
    end
    addTasks(status, member.taskStatusCount)
    local phase = (member.state or {}).phase
    if phase == "Failed" then
      failing = failing or item
      failed[#failed + 1] = item.clusterName
    elseif phase == "Completed" then
      completed = completed + 1
    end
  end
  local conditions = latestConditions(items)
  if failing then
    status.conditions = failing.status.conditions
  elseif #conditions > 0 then
    status.conditions = conditions
  end
  local old = (desired.status or {}).state
  if failing then
    local message = "Job failed in clusters: " .. table.concat(failed, ", ")
    status.state = stateNow(old, "Failed", "VolcanoJobFailed", message)
  elseif completed > 0 and completed == #items then
    status.state = stateNow(old, "Completed", "VolcanoJobCompleted", "Job completed")
  end
  desired.status = next(status) ~= nil and status or nil
  return desired
end
