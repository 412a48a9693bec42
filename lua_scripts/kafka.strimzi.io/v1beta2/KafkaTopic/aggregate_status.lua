-- Each member has a topic of its own, in its own Kafka cluster.
local rank = { True = -1, Unknown = 0, False = 1 }
local worseWhenTrue = { NotReady = true, ReconciliationPaused = true, Unmanaged = true }

local function find(item, name)
  for _, condition in ipairs((item.status or {}).conditions or {}) do
    if condition.type == name then
      return condition
    end
  end
  return { message = "not reported yet" }
end

-- The worst answer of the members; those that give it tell why.
local function mergeCondition(items, name)
  local merged, heaviest
  for _, item in ipairs(items) do
    local condition = find(item, name)
    local status = rank[condition.status] and condition.status or "Unknown"
    local weight = worseWhenTrue[name] and -rank[status] or rank[status]
    if merged == nil or weight > heaviest then
      merged, heaviest = { type = name, status = status, reason = condition.reason }, weight
    end
    if status == merged.status then
      if (condition.lastTransitionTime or "") > (merged.lastTransitionTime or "") then
        merged.lastTransitionTime = condition.lastTransitionTime
      end
      if (condition.message or "") ~= "" then
        local others = merged.message and merged.message .. ", " or ""
        merged.message = others .. item.clusterName .. "=" .. condition.message
      end
    end
  end
  return merged
end

local function mergeConditions(items)
  local merged, seen = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local name = condition.type
      if name ~= nil and not seen[name] then
        seen[name] = true
        merged[#merged + 1] = mergeCondition(items, name)
      end
    end
  end
  return merged
end

-- Strimzi reports Ready or NotReady, never both: while a member is not ready, neither is the whole.
local function readyOrNot(conditions)
  local kept, notReady = {}, false
  for _, condition in ipairs(conditions) do
    notReady = notReady or (condition.type == "NotReady" and condition.status == "True")
  end
  for _, condition in ipairs(conditions) do
    if not (notReady and condition.type == "Ready") then
      kept[#kept + 1] = condition
    end
  end
  return kept
end

-- Moves to the template's generation once every member has observed it.
local function observedGeneration(obj, items)
  local generation = (obj.metadata or {}).generation
  for _, item in ipairs(items) do
    local status = item.status or {}
    local current = (status.resourceTemplateGeneration or 0) == (generation or 0)
    if not current or (status.generation or 0) ~= (status.observedGeneration or 0) then
      return (obj.status or {}).observedGeneration
    end
  end
  return generation
end

-- What all members say, or nothing.
local function agreed(items, field)
  local value = ((items[1] or {}).status or {})[field]
  for _, item in ipairs(items) do
    if (item.status or {})[field] ~= value then
      return nil
    end
  end
  return value
end

local function firstChange(items)
  for _, item in ipairs(items) do
    if (item.status or {}).replicasChange ~= nil then
      return item.status.replicasChange
    end
  end
end

function AggregateStatus(desired, items)
  items = items or {}
  desired.status = {
    observedGeneration = observedGeneration(desired, items),
    conditions = readyOrNot(mergeConditions(items)),
    topicName = agreed(items, "topicName"),
    topicId = agreed(items, "topicId"),
    replicasChange = firstChange(items),
  }
  return desired
end
