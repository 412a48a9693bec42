-- Counters are summed, the worst phase stands, and what names a version stands only while all members agree on it.
local COUNTERS = { "replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "HPAReplicas" }
local AGREED = { "currentPodHash", "currentStepHash", "currentStepIndex", "stableRS", "selector", "workloadObservedGeneration" }
local RANK = { Healthy = 1, Paused = 2, Progressing = 3, Degraded = 4 }
local BAD = { Paused = true, InvalidSpec = true, ReplicaFailure = true }

local function latest(a, b)
  return (a == nil or (b ~= nil and b > a)) and b or a
end

local function worstPhase(items)
  local phase, messages = nil, {}
  for _, item in ipairs(items) do
    local status = item.status or {}
    -- A member without a phase has not got that far.
    local own = RANK[status.phase] ~= nil and status.phase or "Progressing"
    if phase == nil or RANK[own] > RANK[phase] then
      phase, messages = own, {}
    end
    if own == phase and status.message ~= nil and status.message ~= "" then
      messages[#messages + 1] = item.clusterName .. "=" .. status.message
    end
  end
  return phase, #messages > 0 and table.concat(messages, ", ") or nil
end

local function agreed(items, field)
  local value
  for index, item in ipairs(items) do
    local own = (item.status or {})[field]
    if index > 1 and own ~= value then
      return nil
    end
    value = own
  end
  return value
end

local function conditionOf(item, kind)
  for _, condition in ipairs((item.status or {}).conditions or {}) do
    if condition.type == kind then
      local truth = condition.status
      return condition, (truth == "True" or truth == "False") and truth or "Unknown"
    end
  end
  return { reason = "NotReported", message = "not reported" }, "Unknown"
end

-- The CRD asks for a reason, a message and times in each condition, also where a member decides that has none.
local function fold(items, kind)
  local byTruth, transition, update = {}, nil, nil
  for _, item in ipairs(items) do
    local condition, truth = conditionOf(item, kind)
    local message = item.clusterName .. "=" .. (condition.message or "")
    local folded = byTruth[truth]
    if folded == nil then
      folded = { type = kind, status = truth, reason = condition.reason or kind, message = message }
      byTruth[truth] = folded
    else
      folded.message = folded.message .. ", " .. message
    end
    folded.lastTransitionTime = latest(folded.lastTransitionTime, condition.lastTransitionTime)
    folded.lastUpdateTime = latest(folded.lastUpdateTime, condition.lastUpdateTime)
    transition = latest(transition, condition.lastTransitionTime)
    update = latest(update, condition.lastUpdateTime)
  end
  local worst, best = "False", "True"
  if BAD[kind] then
    worst, best = best, worst
  end
  local folded = byTruth[worst] or byTruth.Unknown or byTruth[best]
  folded.lastTransitionTime = folded.lastTransitionTime or transition
  folded.lastUpdateTime = folded.lastUpdateTime or update
  return folded
end

local function foldAll(items)
  local conditions, seen = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      if condition.type ~= nil and not seen[condition.type] then
        seen[condition.type] = true
        conditions[#conditions + 1] = fold(items, condition.type)
      end
    end
  end
  return #conditions > 0 and conditions or nil
end

local function isObserved(items, generation)
  for _, item in ipairs(items) do
    local status = item.status or {}
    -- The controller writes its observed generation as text.
    if
      (status.resourceTemplateGeneration or 0) ~= generation
      or (tonumber(status.observedGeneration) or 0) ~= (status.generation or 0)
    then
      return false
    end
  end
  return true
end

function AggregateStatus(desired, items)
  items = items or {}
  local generation = (desired.metadata or {}).generation or 0
  local status = {}
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
    for _, item in ipairs(items) do
      status[field] = status[field] + ((item.status or {})[field] or 0)
    end
  end
  for _, field in ipairs(AGREED) do
    status[field] = agreed(items, field)
  end
  for _, item in ipairs(items) do
    status.abort = status.abort or (item.status or {}).abort
    status.controllerPause = status.controllerPause or (item.status or {}).controllerPause
  end
  status.phase, status.message = worstPhase(items)
  status.conditions = foldAll(items)
  if isObserved(items, generation) then
    status.observedGeneration = string.format("%d", generation)
  else
    status.observedGeneration = (desired.status or {}).observedGeneration
  end
  desired.status = status
  return desired
end
