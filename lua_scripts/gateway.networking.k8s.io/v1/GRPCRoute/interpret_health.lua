-- Each parent has its own say. One about an older generation is what a parent left behind that the route has no
-- more, so it counts only where no parent has looked at the present one.
local WAITS = { Accepted = true, ResolvedRefs = true, Programmed = true }

local function judge(parent)
  local accepted, waits
  for _, condition in ipairs(parent.conditions or {}) do
    local kind, truth = condition.type, condition.status
    local line = string.match(condition.message or "", "[^\r\n]+")
    local name = (parent.parentRef or {}).name or ""
    local answer = { reason = condition.reason, message = name .. ": " .. (line or kind or "") }
    local decision = kind == "Accepted" or kind == "ResolvedRefs"
    local refused = decision and truth == "False" and condition.reason ~= "Pending"
    if refused or kind == "PartiallyInvalid" and truth == "True" then
      answer.status = "Degraded"
      return answer
    elseif WAITS[kind] and truth ~= "True" then
      answer.status = "Progressing"
      waits = waits or answer
    elseif kind == "Accepted" then
      answer.status = "Healthy"
      accepted = answer
    end
  end
  return waits or accepted
    or { status = "Progressing", reason = "Pending", message = "a parent has not accepted the route yet" }
end

local function isStale(parent, generation)
  for _, condition in ipairs(parent.conditions or {}) do
    if (condition.observedGeneration or math.huge) < generation then
      return true
    end
  end
  return false
end

local RANK = { Degraded = 1, Progressing = 2, Healthy = 3 }

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local generation = (obj.metadata or {}).generation or 0
  local current, stale
  for _, parent in ipairs((obj.status or {}).parents or {}) do
    local answer = judge(parent)
    if isStale(parent, generation) then
      stale = (not stale or answer.status == "Degraded") and answer or stale
    elseif not current or RANK[answer.status] < RANK[current.status] then
      current = answer
    end
  end
  if not current and stale and stale.status ~= "Degraded" then
    local text = "no parent has looked at the present generation"
    return { status = "Progressing", reason = "StaleGeneration", message = text }
  end
  return current or stale
    or { status = "Progressing", reason = "Pending", message = "no parent has taken the route yet" }
end
