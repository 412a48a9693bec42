-- The last attempt either brought a value, one for each interval where several are asked for, or an error.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = string.match(message, "[^\r\n]+") }
end

function InterpretHealth(obj)
  local status = obj.status or {}
  local failure, value = status.errMsg or "", status.value or ""
  for _, interval in ipairs(status.intervalResults or {}) do
    if failure == "" then
      failure = interval.errMsg or ""
    end
    value = interval.value or value
  end
  if failure ~= "" then
    return answer("Degraded", "FetchFailed", failure)
  elseif value ~= "" then
    return answer("Healthy", "Fetched", "the value is " .. value)
  end
  return answer("Progressing", "NoValue", "the metric has not been fetched yet")
end
