-- Each member runs a PostgreSQL cluster of its own: primaries, instance names and certificates stay in the members.
local ordered = {
  "Cluster is unrecoverable and needs manual intervention",
  "Cluster has incomplete or invalid image catalog",
  "Cluster cannot proceed to reconciliation due to an unknown plugin being required",
  "Cluster cannot proceed to reconciliation due to an error while interacting with plugins",
  "Cluster cannot execute instance online upgrade due to missing architecture binary",
  "Unable to create required cluster objects",
  "Failing over",
  "Waiting for user action",
}

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

-- Failures in the order above, then whatever is under way, then health.
local function gravity(phase)
  for index, name in ipairs(ordered) do
    if name == phase then
      return #ordered + 2 - index
    end
  end
  return phase == "Cluster in healthy state" and 0 or 1
end

local function worstPhase(items)
  local worst, reasons
  for _, item in ipairs(items) do
    local status = item.status or {}
    local phase = status.phase or "Setting up primary"
    if worst == nil or gravity(phase) > gravity(worst) then
      worst, reasons = phase, nil
    end
    if phase == worst and status.phaseReason ~= nil then
      reasons = (reasons and reasons .. ", " or "") .. item.clusterName .. "=" .. status.phaseReason
    end
  end
  return worst, reasons
end

function AggregateStatus(desired, items)
  items = items or {}
  local phase, reason = worstPhase(items)
  desired.status = {
    instances = sum(items, "instances"),
    readyInstances = sum(items, "readyInstances"),
    pvcCount = sum(items, "pvcCount"),
    jobCount = sum(items, "jobCount"),
    phase = phase,
    phaseReason = reason,
    image = agreed(items, "image"),
    readService = agreed(items, "readService"),
    writeService = agreed(items, "writeService"),
    conditions = mergeConditions(items),
  }
  return desired
end
