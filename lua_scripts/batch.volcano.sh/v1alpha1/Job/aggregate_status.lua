-- One member speaks for itself. Of many, counters are summed, and one failure fails the whole. The state is the control
-- plane's own, so it has a time of its own: that of the template's state while it says the same, else now.
local COUNTERS = { "minAvailable", "pending", "running", "succeeded", "failed", "terminating", "unknown", "retryCount" }
local UNITS = { h = 3600, m = 60, s = 1, ms = 0.001, us = 0.000001, ["µs"] = 0.000001, ns = 0.000000001 }

-- Go durations such as 1h2m3.5s, in seconds.
local function seconds(text)
  local total = 0
  for number, unit in string.gmatch(text or "", "([%d%.]+)([^%d%.]+)") do
    total = total + (tonumber(number) or 0) * (UNITS[unit] or 0)
  end
  return total
end

-- Of the conditions of one status the newest one.
local function newest(items)
  local conditions, places, times = {}, {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local key, time = condition.status or "", condition.lastTransitionTime or ""
      if times[key] == nil or time > times[key] then
        places[key] = places[key] or #conditions + 1
        conditions[places[key]], times[key] = condition, time
      end
    end
  end
  return #conditions > 0 and conditions or nil
end

function AggregateStatus(desired, items)
  items = items or {}
  if #items < 2 then
    desired.status = (items[1] or {}).status
    return desired
  end
  local status, tasks, resources, failed, completed, failing = {}, {}, {}, {}, 0, nil
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
    for _, item in ipairs(items) do
      status[field] = status[field] + ((item.status or {})[field] or 0)
    end
    status[field] = status[field] ~= 0 and status[field] or nil
  end
  for _, item in ipairs(items) do
    local member = item.status or {}
    local phase = (member.state or {}).phase
    if phase == "Failed" then
      failing = failing or member
      failed[#failed + 1] = item.clusterName
    end
    completed = completed + (phase == "Completed" and 1 or 0)
    status.version = (member.version or 0) > (status.version or 0) and member.version or status.version
    if seconds(member.runningDuration) > seconds(status.runningDuration) then
      status.runningDuration = member.runningDuration
    end
    for name, id in pairs(member.controlledResources or {}) do
      resources[name] = id
    end
    for name, task in pairs(member.taskStatusCount or {}) do
      for state, count in pairs(task.phase or {}) do
        if count ~= 0 then
          tasks[name] = tasks[name] or { phase = {} }
          tasks[name].phase[state] = (tasks[name].phase[state] or 0) + count
        end
      end
    end
  end
  status.controlledResources = next(resources) ~= nil and resources or nil
  status.taskStatusCount = next(tasks) ~= nil and tasks or nil
  status.conditions = not failing and newest(items) or (failing or {}).conditions
  local phase = failing and "Failed" or completed == #items and "Completed" or nil
  if phase then
    local old = (desired.status or {}).state or {}
    local text = failing and "Job failed in clusters: " .. table.concat(failed, ", ") or "Job completed"
    local time = old.phase == phase and old.message == text and old.lastTransitionTime or os.date("!%Y-%m-%dT%H:%M:%SZ")
    status.state = { phase = phase, reason = "VolcanoJob" .. phase, message = text, lastTransitionTime = time }
  end
  desired.status = next(status) ~= nil and status or nil
  return desired
end
