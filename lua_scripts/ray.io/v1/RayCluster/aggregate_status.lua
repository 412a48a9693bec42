-- Counts and resources are summed. A head lives in one cluster, so what describes it is that of the first member
-- that reports it.
local kube = require("kube")
local COUNTERS = {
  "availableWorkerReplicas", "desiredWorkerReplicas", "maxWorkerReplicas", "minWorkerReplicas", "readyWorkerReplicas",
}

local function add(total, quantity)
  if quantity == nil or quantity == "" then
    return total
  end
  return kube.resourceAdd(total, quantity)
end

function AggregateStatus(desired, items)
  items = items or {}
  if #items == 1 then
    desired.status = items[1].status
    return desired
  end
  local status, conditions, gpu, tpu = { desiredCPU = "0", desiredMemory = "0" }, {}, 0, 0
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
    for _, item in ipairs(items) do
      status[field] = status[field] + ((item.status or {})[field] or 0)
    end
  end
  for _, item in ipairs(items) do
    local member = item.status or {}
    status.desiredCPU = add(status.desiredCPU, member.desiredCPU)
    status.desiredMemory = add(status.desiredMemory, member.desiredMemory)
    gpu = gpu + (tonumber(member.desiredGPU or 0) or 0)
    tpu = tpu + (tonumber(member.desiredTPU or 0) or 0)
    for _, condition in ipairs(member.conditions or {}) do
      conditions[#conditions + 1] = condition
    end
    status.head = status.head or member.head
    status.endpoints = status.endpoints or member.endpoints
    if status.state == nil and member.state ~= nil then
      status.state, status.stateTransitionTimes = member.state, member.stateTransitionTimes
    end
    if (member.lastUpdateTime or "") > (status.lastUpdateTime or "") then
      status.lastUpdateTime = member.lastUpdateTime
    end
  end
  status.desiredGPU, status.desiredTPU = tostring(gpu), tostring(tpu)
  status.conditions = #conditions > 0 and conditions or nil
  desired.status = status
  return desired
end
