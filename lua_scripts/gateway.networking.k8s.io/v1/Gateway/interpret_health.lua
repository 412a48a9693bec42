-- A refused gateway or listener is Degraded, one that is still being set up (no address yet) is Progressing.
-- What waits for a controller is Unknown with the reason Pending.
local DECISIONS = { Accepted = true, ResolvedRefs = true }
local SETUP = { Programmed = true, Ready = true }
local FAILURES = { Invalid = true, AddressNotUsable = true, NoResources = true }
local COMPLAINTS = { Conflicted = true, Detached = true }

local function verdict(condition, generation)
  local kind, truth, reason = condition.type, condition.status, condition.reason
  if COMPLAINTS[kind] then
    return truth == "True" and "Degraded" or nil
  elseif not (DECISIONS[kind] or SETUP[kind]) then
    return nil
  end
  local refused = DECISIONS[kind] and reason ~= "Pending" or FAILURES[reason]
  if truth == "False" and refused then
    return "Degraded"
  elseif (condition.observedGeneration or math.huge) < generation then
    return "Stale"
  elseif truth ~= "True" then
    return "Progressing"
  end
  return SETUP[kind] and "Healthy" or nil
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status, generation = obj.status or {}, (obj.metadata or {}).generation or 0
  local progressing, programmed
  local parts = { { conditions = status.conditions } }
  for _, listener in ipairs(status.listeners or {}) do
    parts[#parts + 1] = listener
  end
  for index, part in ipairs(parts) do
    local where = index > 1 and "listener " .. (part.name or "") .. ": " or ""
    for _, condition in ipairs(part.conditions or {}) do
      local line = string.match(condition.message or "", "[^\r\n]+")
      local word = verdict(condition, generation)
      local answer = { status = word, reason = condition.reason, message = where .. (line or condition.type or "") }
      if word == "Degraded" then
        return answer
      elseif word == "Stale" then
        answer.status, answer.reason = "Progressing", "StaleGeneration"
        answer.message = where .. (condition.type or "") .. " is about an older generation"
        progressing = progressing or answer
      elseif word == "Progressing" then
        progressing = progressing or answer
      elseif word == "Healthy" and index == 1 then
        programmed = answer
      end
    end
  end
  return progressing or programmed
    or { status = "Progressing", reason = "Pending", message = "no controller has set the gateway up yet" }
end
