-- Parents are merged by what they are and by the controller that speaks for them. PartiallyInvalid is a sign:
-- one member is enough, and a member that does not show it takes the whole route.
local SIGNS = { PartiallyInvalid = true }

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

local function keyOf(parent, namespace)
  local ref = parent.parentRef or {}
  return table.concat({
    ref.group or "gateway.networking.k8s.io",
    ref.kind or "Gateway",
    ref.namespace or namespace or "",
    ref.name or "",
    ref.sectionName or "",
    tostring(ref.port or ""),
  }, "/")
end

-- What a list says about the parent, and whether only another controller speaks for it there.
local function lookup(parents, parent, namespace)
  local other = false
  for _, candidate in ipairs(parents or {}) do
    if keyOf(candidate, namespace) == keyOf(parent, namespace) then
      if candidate.controllerName == parent.controllerName then
        return candidate, false
      end
      other = true
    end
  end
  return nil, other
end

-- A member with another controller for the parent has nothing to say here; one that says nothing about it is
-- pending.
local function mergeParent(items, parent, namespace, generation, before)
  local own = {}
  for _, item in ipairs(items) do
    local status = item.status or {}
    local same, other = lookup(status.parents, parent, namespace)
    if not other then
      own[#own + 1] = { clusterName = item.clusterName, status = same and {
        conditions = same.conditions,
        generation = status.generation,
        resourceTemplateGeneration = status.resourceTemplateGeneration,
      } }
    end
  end
  return {
    parentRef = parent.parentRef,
    controllerName = parent.controllerName,
    conditions = mergeConditions(own, generation, (lookup(before.parents, parent, namespace))),
  }
end

function AggregateStatus(desired, items)
  items = items or {}
  local metadata, before, merged = desired.metadata or {}, desired.status or {}, {}
  for _, item in ipairs(items) do
    for _, parent in ipairs((item.status or {}).parents or {}) do
      if not lookup(merged, parent, metadata.namespace) then
        merged[#merged + 1] = mergeParent(items, parent, metadata.namespace, metadata.generation, before)
      end
    end
  end
  desired.status = #merged > 0 and { parents = merged } or nil
  return desired
end
