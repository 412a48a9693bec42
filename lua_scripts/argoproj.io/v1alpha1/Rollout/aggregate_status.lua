-- Phase and message of the worst members stand; conditions say the same and are left out.
local COUNTERS = { "replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "HPAReplicas" }
local AGREED = { "currentPodHash", "currentStepIndex", "stableRS", "selector" }
local RANK = { Healthy = 1, Paused = 2, Progressing = 3, Degraded = 4 }

-- The controller writes its observed generation as text.
local function allObserved(items, generation)
  local all = true
  for _, item in ipairs(items) do
    local status = item.status or {}
    local current = (status.generation or 0) == (tonumber(status.observedGeneration) or 0)
    all = all and current and (status.resourceTemplateGeneration or 0) == generation
  end
  return all
end

function AggregateStatus(desired, items)
  items = items or {}
  local status, generation = {}, (desired.metadata or {}).generation or 0
  for _, field in ipairs(COUNTERS) do
    status[field] = 0
    for _, item in ipairs(items) do
      status[field] = status[field] + ((item.status or {})[field] or 0)
    end
  end
  for _, field in ipairs(AGREED) do
    status[field] = ((items[1] or {}).status or {})[field]
    for _, item in ipairs(items) do
      if (item.status or {})[field] ~= status[field] then
        status[field] = nil
      end
    end
  end
  for _, item in ipairs(items) do
    local member = item.status or {}
    -- A member without a phase has not got that far.
    local phase = RANK[member.phase] and member.phase or "Progressing"
    if status.phase == nil or RANK[phase] > RANK[status.phase] then
      status.phase, status.message = phase, nil
    end
    if phase == status.phase and (member.message or "") ~= "" then
      local before = status.message and status.message .. ", " or ""
      status.message = before .. (item.clusterName or "") .. "=" .. member.message
    end
  end
  status.observedGeneration = (desired.status or {}).observedGeneration
  if allObserved(items, generation) then
    status.observedGeneration = string.format("%d", generation)
  end
  desired.status = status
  return desired
end
