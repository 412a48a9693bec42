-- The operator's colour decides: green is all pods, yellow some, red none. A status of counts without a colour is that of
-- a Beat whose pods were just asked for; an empty one tells nothing.
local COLOURS = { green = "Healthy", yellow = "Progressing", red = "Degraded" }

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status, generation = obj.status, (obj.metadata or {}).generation or 0
  if status == nil then
    return { status = "Progressing", reason = "NoStatus", message = "the operator has not reported yet" }
  end
  local colour, expected = status.health or "", status.expectedNodes
  local word, available = COLOURS[colour], status.availableNodes or 0
  local text = expected and available .. " of " .. expected .. " pods are available"
  if word ~= "Degraded" and (status.observedGeneration or generation) < generation then
    return { status = "Progressing", reason = "StaleStatus", message = "the status is of an older generation" }
  elseif word == "Healthy" and available < (expected or 0) then
    return { status = "Progressing", reason = colour, message = text }
  elseif word then
    return { status = word, reason = colour, message = text }
  elseif colour == "" and expected then
    return { status = "Progressing", reason = "NoHealth", message = text }
  end
  return { status = "Unknown", reason = "UnknownHealth", message = "the operator does not know the health" }
end
