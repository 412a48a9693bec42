-- The members' conditions stand in one list. Revisions are those of the last member with one, else what the template
-- has; without any list of members they are blank.
local TEXTS = { "lastAppliedRevision", "lastAttemptedRevision" }

-- Conditions that agree in type, status and reason become one, whose message names the members.
local function joined(items)
  local conditions, known = {}, {}
  for _, item in ipairs(items) do
    for _, condition in ipairs((item.status or {}).conditions or {}) do
      local key = tostring(condition.type) .. "/" .. tostring(condition.status) .. "/" .. tostring(condition.reason)
      condition.message = (item.clusterName or "") .. "=" .. (condition.message or "")
      if known[key] then
        known[key].message = known[key].message .. ", " .. condition.message
      else
        known[key] = condition
        conditions[#conditions + 1] = condition
      end
    end
  end
  return #conditions > 0 and conditions or nil
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
  -- A template without a generation counts as generation 0, and says so.
  desired.metadata = desired.metadata or {}
  local generation = desired.metadata.generation or 0
  desired.metadata.generation = generation
  local status = desired.status or {}
  desired.status = status
  for _, field in ipairs(TEXTS) do
    status[field] = items == nil and "" or status[field]
    for _, item in ipairs(items or {}) do
      local text = (item.status or {})[field] or ""
      status[field] = text ~= "" and text or status[field]
    end
  end
  status.conditions = joined(items or {})
  status.observedGeneration = allObserved(items or {}, generation) and generation or status.observedGeneration or 0
  return desired
end
