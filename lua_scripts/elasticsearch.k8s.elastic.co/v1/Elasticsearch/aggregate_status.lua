-- Each member runs a cluster of its own; the whole is as good as the worst of them. Health and phase say what the
-- conditions say, which are left out.
local HEALTHS = { green = 1, yellow = 2, unknown = 3, red = 4 }
local PHASES = { Ready = 1, MigratingData = 2, ApplyingChanges = 3, Stalled = 4, Invalid = 5 }
local COUNTERS = { "availableNodes" }
local AGREED = { "version" }

-- The worst value of a field; a member without one has the pending one.
local function worst(items, field, ranks, pending)
  local value = nil
  for _, item in ipairs(items) do
    local own = (item.status or {})[field]
    own = ranks[own] and own or pending
    if value == nil or ranks[own] > ranks[value] then
      value = own
    end
  end
  return value
end

local function allObserved(items, generation)
  local all = true
  for _, item in ipairs(items) do
    local status = item.status or {}
    local current = (status.generation or 0) == (status.observedGeneration or 0)
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
  status.health = worst(items, "health", HEALTHS, "unknown")
  status.phase = worst(items, "phase", PHASES, "ApplyingChanges")
  status.observedGeneration = allObserved(items, generation) and generation or (desired.status or {}).observedGeneration
  desired.status = status
  return desired
end
