-- One member speaks for itself. Of many, whichever does not run makes the notebook failed, with the container state of
-- the last such member; members that have not reported do not count. Failed thus covers waiting, as it always did here.

-- A state that stands already keeps its times; else the status would change at every look.
local function condition(old, kind, reason, message)
  local time = os.date("!%Y-%m-%dT%H:%M:%SZ")
  for _, entry in ipairs(old or {}) do
    if entry.type == kind and entry.message == message then
      time = entry.lastTransitionTime or time
    end
  end
  return {
    {
      type = kind,
      status = "True",
      reason = reason,
      message = message,
      lastProbeTime = time,
      lastTransitionTime = time,
    },
  }
end

local function stateOf(state)
  if state.terminated ~= nil then
    return { terminated = state.terminated }
  elseif state.waiting ~= nil then
    return { waiting = state.waiting }
  end
  return { waiting = { reason = "Unschedulable" } }
end

function AggregateStatus(desired, items)
  items = items or {}
  if #items == 1 then
    desired.status = items[1].status
    return desired
  end

  local ready, failed = 0, {}
  local failedState, running
  for _, item in ipairs(items) do
    if item.status ~= nil then
      local state = item.status.containerState or {}
      ready = ready + (item.status.readyReplicas or 0)
      if state.running == nil then
        failed[#failed + 1] = item.clusterName
        failedState = stateOf(state)
      elseif running == nil or (state.running.startedAt or "") > (running.startedAt or "") then
        running = state.running
      end
    end
  end

  local old = (desired.status or {}).conditions
  local status = { readyReplicas = ready }
  if #failed > 0 then
    local message = "Notebook executed failed in member clusters: " .. table.concat(failed, ", ")
    status.conditions = condition(old, "Failed", "NotebookFailed", message)
    status.containerState = failedState
  elseif running ~= nil then
    status.conditions = condition(old, "Ready", "Ready", "All notebooks are ready")
    status.containerState = { running = running }
  end
  desired.status = status
  return desired
end
