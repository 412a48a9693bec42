-- The members' conditions stand in one list, artifact and url are those of the last member with one. Without any the
-- url is blank.

-- Conditions that agree in type, status and reason become one, whose message names the members.
local function joined(items)
  local conditions = {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local message = (item.clusterName or "") .. "=" .. (condition.message or "")
      local known
      for _, other in ipairs(conditions) do
        if other.type == condition.type and other.status == condition.status and other.reason == condition.reason then
          known = other
          break
        end
      end
      if known then
        known.message = known.message .. ", " .. message
      else
        condition.message = message
        conditions[#conditions + 1] = condition
      end
    end
  end
  return #conditions > 0 and conditions or nil
end

local function allObserved(items, generation)
  for _, item in ipairs(items) do
    local status = item.status or {}
    local current = (status.generation or 0) == (status.observedGeneration or 0)
    if not current or (status.resourceTemplateGeneration or 0) ~= generation then
      return false
    end
  end
  return true
end

function AggregateStatus(desired, items)
  items = items or {}
  -- A template without a generation counts as generation 0, and says so.
  desired.metadata = desired.metadata or {}
  local generation = desired.metadata.generation or 0
  desired.metadata.generation = generation
  local status = desired.status or {}
  desired.status = status
  status.artifact, status.url = nil, ""
  for _, item in ipairs(items) do
    local member = item.status or {}
    status.artifact = member.artifact or status.artifact
    if member.url ~= nil and member.url ~= "" then
      status.url = member.url
    end
  end
  status.conditions = joined(items)
  status.observedGeneration = allObserved(items, generation) and generation or status.observedGeneration or 0
  return desired
end
