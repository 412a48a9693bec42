-- Revisions, traffic and component addresses belong to one member and are left out.
local transitions = { UpToDate = 1, InProgress = 2, InvalidSpec = 3, BlockedByFailedLoad = 4 }

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
      merged, heaviest = { type = name, status = status, reason = condition.reason, severity = condition.severity }, weight
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

local function agreedAddress(items)
  local url = (((items[1] or {}).status or {}).address or {}).url
  for _, item in ipairs(items) do
    if url == nil or ((item.status or {}).address or {}).url ~= url then
      return nil
    end
  end
  return url and { url = url }
end

-- The worst transition with its failure, and copies summed; a member without a status is still loading.
local function mergeModels(items)
  local merged, failed, total
  for _, item in ipairs(items) do
    local model = (item.status or { modelStatus = { transitionStatus = "InProgress" } }).modelStatus or {}
    local state = model.transitionStatus
    if transitions[state or ""] and (merged == nil or transitions[state] > transitions[merged.transitionStatus]) then
      merged = { transitionStatus = state, lastFailureInfo = model.lastFailureInfo }
    end
    if model.copies ~= nil then
      failed = (failed or 0) + (model.copies.failedCopies or 0)
      total = (total or 0) + (model.copies.totalCopies or 0)
    end
  end
  if merged ~= nil and total ~= nil then
    merged.copies = { failedCopies = failed, totalCopies = total }
  end
  return merged
end

function AggregateStatus(desired, items)
  items = items or {}
  desired.status = {
    observedGeneration = observedGeneration(desired, items),
    conditions = mergeConditions(items),
    modelStatus = mergeModels(items),
    url = agreed(items, "url"),
    address = agreedAddress(items),
    deploymentMode = agreed(items, "deploymentMode"),
    servingRuntimeName = agreed(items, "servingRuntimeName"),
    clusterServingRuntimeName = agreed(items, "clusterServingRuntimeName"),
  }
  return desired
end
