-- The overall status sums up that of the components, which say what is broken or waited for.
local WORDS = { HEALTHY = "Healthy", ERROR = "Degraded", ACTION_REQUIRED = "Suspended" }

function InterpretHealth(obj)
  local status, parts = obj.status or {}, {}
  local word = status.status or ""
  for name, component in pairs(status.componentStatus or {}) do
    local state = component.status or ""
    if state ~= "HEALTHY" and state ~= "NONE" and state ~= "" then
      parts[#parts + 1] = name .. " is " .. state
    end
  end
  table.sort(parts)
  local message = string.match(status.message or table.concat(parts, ", "), "[^\r\n]+")
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = message or "deletion was requested" }
  elseif word == "" then
    return { status = "Progressing", reason = "NoStatus", message = message or "the operator has not reported yet" }
  end
  return { status = WORDS[word] or "Progressing", reason = word, message = message }
end
