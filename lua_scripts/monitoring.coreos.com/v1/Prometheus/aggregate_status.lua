-- The status has no observedGeneration; those of its conditions are about a member's object and are left out.
local rank = { True = -2, Unknown = 0, Degraded = 1, False = 2 }

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
    local weight = rank[status]
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

local function sum(items, field)
  local total = 0
  for _, item in ipairs(items) do
    total = total + ((item.status or {})[field] or 0)
  end
  return total
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

local counters = { "replicas", "updatedReplicas", "availableReplicas", "unavailableReplicas" }

local function mergeShards(items)
  local shards, known = {}, {}
  for _, item in ipairs(items) do
    for _, shard in ipairs((item.status or {}).shardStatuses or {}) do
      local merged = known[shard.shardID or ""]
      if merged == nil then
        merged = { shardID = shard.shardID }
        known[shard.shardID or ""] = merged
        shards[#shards + 1] = merged
      end
      for _, counter in ipairs(counters) do
        merged[counter] = (merged[counter] or 0) + (shard[counter] or 0)
      end
    end
  end
  return shards
end

function AggregateStatus(desired, items)
  items = items or {}
  local status = {
    paused = agreed(items, "paused"),
    shards = agreed(items, "shards"),
    selector = agreed(items, "selector"),
    shardStatuses = mergeShards(items),
    conditions = mergeConditions(items),
  }
  for _, counter in ipairs(counters) do
    status[counter] = sum(items, counter)
  end
  desired.status = status
  return desired
end
