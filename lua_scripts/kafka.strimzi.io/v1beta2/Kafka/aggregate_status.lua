-- Each member runs a Kafka cluster of its own: listeners, nodes and ids are left out. Of its warnings the last counts.
local AGREED = { "kafkaVersion", "operatorLastSuccessfulVersion" }
local BAD = { NotReady = "True", ReconciliationPaused = "True", Warning = "True" } -- of any other type: "False"

-- The condition of a type for all members: the worst status stands, and the members that have it say why.
local function fold(items, kind, time)
  local byStatus = {}
  for _, item in ipairs(items) do
    local own = { type = kind, status = "Unknown", reason = "NotReported", lastTransitionTime = time }
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      own = condition.type == kind and condition.status and condition or own
    end
    own.message = (item.clusterName or "") .. "=" .. (own.message or own.reason or own.status)
    local first = byStatus[own.status] or own
    byStatus[own.status] = first
    if first ~= own then
      first.message = first.message .. ", " .. own.message
      if (own.lastTransitionTime or "") > (first.lastTransitionTime or "") then
        first.lastTransitionTime = own.lastTransitionTime
      end
    end
  end
  return byStatus[BAD[kind] or "False"] or byStatus.Unknown or byStatus.True or byStatus.False
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
  for _, field in ipairs(AGREED) do
    status[field] = ((items[1] or {}).status or {})[field]
    for _, item in ipairs(items) do
      if (item.status or {})[field] ~= status[field] then
        status[field] = nil
      end
    end
  end
  local conditions, seen = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      if condition.type and not seen[condition.type] then
        seen[condition.type] = true
        conditions[#conditions + 1] = fold(items, condition.type, condition.lastTransitionTime)
      end
    end
  end
  status.conditions = #conditions > 0 and conditions or nil
  status.observedGeneration = allObserved(items, generation) and generation or (desired.status or {}).observedGeneration
  desired.status = status
  return desired
end
