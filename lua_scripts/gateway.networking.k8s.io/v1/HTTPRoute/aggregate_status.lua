-- A parent is one for all members, with the first member's controller. Longer than most: it has the conditions.
local BAD = { PartiallyInvalid = "True" } -- of any other type: "False"

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

local function key(parent, namespace)
  local ref = parent.parentRef or {}
  local parts = { ref.kind or "Gateway", ref.namespace or namespace or "", ref.name or "", ref.sectionName or "" }
  return table.concat(parts, "/") .. ":" .. (ref.port or "")
end

function AggregateStatus(desired, items)
  items = items or {}
  local namespace, parents, seen = (desired.metadata or {}).namespace, {}, {}
  local function foldParent(first)
    local owns = {}
    for place, item in ipairs(items) do
      local status = item.status or {}
      owns[place] = { clusterName = item.clusterName }
      for _, parent in ipairs(status.parents or {}) do
        if key(parent, namespace) == key(first, namespace) then
          parent.generation, parent.resourceTemplateGeneration = status.generation, status.resourceTemplateGeneration
          owns[place].status = parent
        end
      end
    end
    return { parentRef = first.parentRef, controllerName = first.controllerName, conditions = foldAll(owns) }
  end
  for _, item in ipairs(items) do
    for _, parent in ipairs((item.status or {}).parents or {}) do
      local name = key(parent, namespace)
      if not seen[name] then
        seen[name] = true
        parents[#parents + 1] = foldParent(parent)
      end
    end
  end
  desired.status = #parents > 0 and { parents = parents } or nil
  return desired
end
