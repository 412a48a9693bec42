-- Each member runs a gateway of its own: the whole answers at all their addresses. Conditions that exist only
-- as a complaint are signs: one member is enough, and a member that does not show them has no reason to.
local SIGNS = { Conflicted = true, Detached = true, OverlappingTLSConfig = true }

local function answer(item, kind)
  for _, condition in ipairs((item.status or {}).conditions or {}) do
    if condition.type == kind then
      return condition
    end
  end
  if not (SIGNS[kind] and item.status) then
    return { status = "Unknown", reason = "NotReported", message = "not reported" }
  end
end

-- The worst answer decides: False (of a sign: True), then Unknown, then the other. A condition is about the
-- template's generation once every member's is; until then it says what it said before.
local function merge(items, kind, generation, before)
  local rank = SIGNS[kind] and { True = 1, False = 3 } or { False = 1, True = 3 }
  local result, messages, lowest, latest, newest, current = { type = kind }, {}, 4, "", "", true
  for _, item in ipairs(items) do
    local condition, status = answer(item, kind), item.status or {}
    if condition then
      local place, time = rank[condition.status] or 2, condition.lastTransitionTime or ""
      current = current and (status.generation or 0) == (condition.observedGeneration or 0)
        and (status.resourceTemplateGeneration or 0) == (generation or 0)
      if place < lowest then
        lowest, latest, messages = place, "", {}
        result.status, result.reason = place == 2 and "Unknown" or condition.status, condition.reason
      end
      if place == lowest then
        local text = condition.message or condition.reason or "Unknown"
        messages[#messages + 1] = (item.clusterName or "") .. "=" .. text
        latest = time > latest and time or latest
      end
      newest = time > newest and time or newest
    end
  end
  result.message = table.concat(messages, ", ")
  -- The field is required here, also where the deciding member has not reported yet.
  latest = latest ~= "" and latest or newest
  result.lastTransitionTime = latest ~= "" and latest or nil
  local old = answer({ status = before }, kind) or {}
  result.observedGeneration = current and generation or old.observedGeneration
  return result
end

local function mergeConditions(items, generation, before)
  local seen, merged = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local kind = condition.type or ""
      if not seen[kind] then
        seen[kind] = true
        merged[#merged + 1] = merge(items, kind, generation, before)
      end
    end
  end
  return #merged > 0 and merged or nil
end

local function addresses(items)
  local seen, found = {}, {}
  for _, item in ipairs(items) do
    for _, address in ipairs((item.status or {}).addresses or {}) do
      local key = (address.type or "IPAddress") .. "/" .. (address.value or "")
      if not seen[key] then
        seen[key] = true
        found[#found + 1] = address
      end
    end
  end
  return #found > 0 and found or nil
end

local function named(listeners, name)
  for _, listener in ipairs(listeners or {}) do
    if listener.name == name then
      return listener
    end
  end
end

-- One listener of all members: its routes are summed, its kinds joined.
local function mergeListener(items, first, generation, before)
  local own, kinds, seen, routes = {}, first.supportedKinds, {}, 0
  for _, kind in ipairs(kinds or {}) do
    seen[(kind.group or "") .. "/" .. (kind.kind or "")] = true
  end
  for _, item in ipairs(items) do
    local status = item.status or {}
    local listener = named(status.listeners, first.name)
    own[#own + 1] = { clusterName = item.clusterName, status = listener and {
      conditions = listener.conditions,
      generation = status.generation,
      resourceTemplateGeneration = status.resourceTemplateGeneration,
    } }
    routes = routes + ((listener or {}).attachedRoutes or 0)
    for _, kind in ipairs((listener or {}).supportedKinds or {}) do
      local key = (kind.group or "") .. "/" .. (kind.kind or "")
      if not seen[key] then
        seen[key] = true
        kinds = kinds or {}
        kinds[#kinds + 1] = kind
      end
    end
  end
  local conditions = mergeConditions(own, generation, before)
  return { name = first.name, attachedRoutes = routes, supportedKinds = kinds, conditions = conditions }
end

function AggregateStatus(desired, items)
  items = items or {}
  local generation, before = (desired.metadata or {}).generation, desired.status or {}
  local listeners = {}
  for _, item in ipairs(items) do
    for _, listener in ipairs((item.status or {}).listeners or {}) do
      if listener.name and not named(listeners, listener.name) then
        local old = named(before.listeners, listener.name)
        listeners[#listeners + 1] = mergeListener(items, listener, generation, old)
      end
    end
  end
  local status = {
    addresses = addresses(items),
    conditions = mergeConditions(items, generation, before),
    listeners = #listeners > 0 and listeners or nil,
  }
  desired.status = next(status) and status or nil
  return desired
end
