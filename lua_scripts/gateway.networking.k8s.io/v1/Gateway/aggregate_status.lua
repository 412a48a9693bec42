-- Each member runs a gateway at addresses of its own. Longer than most: the listeners have conditions too.
local BAD = { Conflicted = "True", Detached = "True", OverlappingTLSConfig = "True" } -- of any other type: "False"

-- The condition of a type for all members: the worst status stands, and the members that have it say why. It is about
-- the oldest of the template's generations that they are about; a member counts the generations of its own object.
local function fold(items, kind, time)
  local byStatus = {}
  for _, item in ipairs(items) do
    local status = item.status or {}
    local own = { type = kind, status = "Unknown", reason = "NotReported", lastTransitionTime = time }
    for _, condition in ipairs(status.conditions or {}) do
      own = condition.type == kind and condition.status and condition or own
    end
    local current = own.observedGeneration == status.generation
    own.observedGeneration = current and status.resourceTemplateGeneration or 0
    own.message = (item.clusterName or "") .. "=" .. (own.message or own.reason or own.status)
    local first = byStatus[own.status] or own
    byStatus[own.status] = first
    if first ~= own then
      first.observedGeneration = math.min(first.observedGeneration, own.observedGeneration)
      first.message = first.message .. ", " .. own.message
      if (own.lastTransitionTime or "") > (first.lastTransitionTime or "") then
        first.lastTransitionTime = own.lastTransitionTime
      end
    end
  end
  return byStatus[BAD[kind] or "False"] or byStatus.Unknown or byStatus.True or byStatus.False
end

local function foldAll(items)
  local conditions, seen = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      if condition.type and not seen[condition.type] then
        seen[condition.type] = true
        conditions[#conditions + 1] = fold(items, condition.type, condition.lastTransitionTime)
      end
    end
  end
  return #conditions > 0 and conditions or nil
end

-- The listeners of one name are one, in which routes are summed.
local function foldListener(items, name)
  local merged, owns = { name = name, attachedRoutes = 0 }, {}
  for place, item in ipairs(items) do
    local status = item.status or {}
    owns[place] = { clusterName = item.clusterName }
    for _, listener in ipairs(status.listeners or {}) do
      if listener.name == name then
        merged.attachedRoutes = merged.attachedRoutes + (listener.attachedRoutes or 0)
        merged.supportedKinds = merged.supportedKinds or listener.supportedKinds
        listener.generation, listener.resourceTemplateGeneration = status.generation, status.resourceTemplateGeneration
        owns[place].status = listener
      end
    end
  end
  merged.conditions = foldAll(owns)
  return merged
end

function AggregateStatus(desired, items)
  items = items or {}
  local addresses, listeners, seen = {}, {}, {}
  for _, item in ipairs(items) do
    for _, address in ipairs((item.status or {}).addresses or {}) do
      addresses[#addresses + 1] = address
    end
    for _, listener in ipairs((item.status or {}).listeners or {}) do
      if listener.name and not seen[listener.name] then
        seen[listener.name] = true
        listeners[#listeners + 1] = foldListener(items, listener.name)
      end
    end
  end
  local status = { conditions = foldAll(items), addresses = #addresses > 0 and addresses or nil }
  status.listeners = #listeners > 0 and listeners or nil
  desired.status = status
  return desired
end
