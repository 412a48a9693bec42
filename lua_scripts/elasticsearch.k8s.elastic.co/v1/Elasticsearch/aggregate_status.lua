-- Each member runs an Elasticsearch cluster of its own; the whole is as good as the worst of them.
local healths = { green = 1, yellow = 2, unknown = 3, red = 4 }
local phases = { Ready = 1, MigratingData = 2, ApplyingChanges = 3, Stalled = 4, Invalid = 5 }

local rank = { True = -1, Unknown = 0, False = 1 }

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

local function sum(items, field)
  local total = 0
  for _, item in ipairs(items) do
    total = total + ((item.status or {})[field] or 0)
  end
  return total
end

local function worst(items, field, order, pending)
  local value
  for _, item in ipairs(items) do
    local mine = (item.status or {})[field]
    mine = order[mine or ""] and mine or pending
    if value == nil or order[mine] > order[value] then
      value = mine
    end
  end
  return value
end

-- As in one cluster during an upgrade: the lowest version that runs anywhere.
local function lowestVersion(items)
  local lowest, least
  for _, item in ipairs(items) do
    local version = (item.status or {}).version
    local major, minor, patch = string.match(version or "", "^(%d+)%.(%d+)%.(%d+)")
    if patch ~= nil then
      local number = major * 1000000 + minor * 1000 + patch
      if least == nil or number < least then
        lowest, least = version, number
      end
    end
  end
  return lowest
end

function AggregateStatus(desired, items)
  items = items or {}
  desired.status = {
    observedGeneration = observedGeneration(desired, items),
    availableNodes = sum(items, "availableNodes"),
    health = worst(items, "health", healths, "unknown"),
    phase = worst(items, "phase", phases, "ApplyingChanges"),
    version = lowestVersion(items),
    conditions = mergeConditions(items),
  }
  return desired
end
