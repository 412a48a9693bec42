-- One member speaks for itself. Of many, whichever does not run makes the notebook failed, with the container state of
-- the last such member; members that have not reported do not count. Failed thus covers waiting, as it always did here.
-- Without any list of members the template stays as it is.

-- An outcome that stands already keeps its times; else the status would change at every look.
local function outcome(old, kind, reason, message)
  local time = os.date("!%Y-%m-%dT%H:%M:%SZ")
  for _, condition in ipairs(old or {}) do
    if condition.type == kind and condition.message == message then
      time = condition.lastTransitionTime or time
    end
  end
  local condition = { type = kind, status = "True", reason = reason, message = message }
  condition.lastProbeTime, condition.lastTransitionTime = time, time
  return { condition }
end

local function stateOf(state)
  if state.terminated == nil and state.waiting == nil then
    return { waiting = { reason = "Unschedulable" } }
  end
  return { terminated = state.terminated, waiting = state.terminated == nil and state.waiting or nil }
end

function AggregateStatus(desired, items)
  if items == nil then
    return desired
  end
  if #items == 1 then
    desired.status = items[1].status
    return desired
  end
  local status, failed, failedState, running = { readyReplicas = 0 }, {}, nil, nil
  for _, item in ipairs(items) do
    local member = item.status or {}
    local state = member.containerState or {}
    status.readyReplicas = status.readyReplicas + (member.readyReplicas or 0)
    if item.status ~= nil and state.running == nil then
      failed[#failed + 1] = item.clusterName
      failedState = stateOf(state)
    elseif state.running and (running == nil or (state.running.startedAt or "") > (running.startedAt or "")) then
      running = state.running
    end
  end
  local old = (desired.status or {}).conditions
  if #failed > 0 then
    local message = "Notebook executed failed in member clusters: " .. table.concat(failed, ", ")
    status.conditions, status.containerState = outcome(old, "Failed", "NotebookFailed", message), failedState
  elseif running then
    status.conditions = outcome(old, "Ready", "Ready", "All notebooks are ready")
    status.containerState = { running = running }
  end
  desired.status = status
  return desired
end
