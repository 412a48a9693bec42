-- The whole ends with the first certificate to end. Revisions, attempts and further times are left out.
local BAD = { Issuing = "True" } -- of any other type: "False"

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

function AggregateStatus(desired, items)
  items = items or {}
  local status = {}
  local ends, failures = {}, {}
  for _, item in ipairs(items) do
    table.insert(ends, (item.status or {}).notAfter)
    table.insert(failures, (item.status or {}).lastFailureTime)
  end
  table.sort(ends)
  table.sort(failures)
  status.notAfter = #ends == #items and ends[1] or nil
  status.lastFailureTime = failures[#failures]
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
  desired.status = status
  return desired
end
