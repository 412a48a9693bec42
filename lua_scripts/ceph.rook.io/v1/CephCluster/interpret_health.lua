-- Ceph's own health decides over what Rook did last: a cluster that was set up well can still lose its disks. Only while
-- it is created do warnings belong to it.
local STATES = { Created = "Healthy", Connected = "Healthy", Ready = "Healthy", Error = "Degraded", Failure = "Degraded" }

local function findings(details)
  local lines = {}
  for name, detail in pairs(details or {}) do
    lines[#lines + 1] = name .. ": " .. (detail.message or "")
  end
  table.sort(lines)
  return table.concat(lines, ", ")
end

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status, generation = obj.status or {}, (obj.metadata or {}).generation or 0
  local ceph, state, phase = status.ceph or {}, status.state or "", status.phase or ""
  local health, word = ceph.health or "", STATES[state] or "Progressing"
  local text = findings(ceph.details)
  text = text ~= "" and text or status.message
  if health == "HEALTH_ERR" or health == "HEALTH_WARN" and state ~= "Creating" then
    return answer("Degraded", health, text)
  elseif word == "Degraded" or STATES[phase] == "Degraded" then
    return answer("Degraded", word == "Degraded" and state or phase, status.message)
  elseif (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  elseif word == "Healthy" and (STATES[phase] or phase == "") then
    return answer("Healthy", health ~= "" and health or state, status.message)
  elseif state == "" and phase == "" then
    return answer("Progressing", "NoStatus", "the operator has not reported yet")
  end
  return answer("Progressing", word == "Healthy" and phase or state, status.message)
end
