-- Completed says only that the analysis is over; whether it went well is told by pass and warning.
function InterpretHealth(obj)
  local status = obj.status or {}
  local state = status.state or ""
  if state ~= "Completed" then
    return { status = "Progressing", reason = state ~= "" and state or "NoState", message = "the analysis is not over yet" }
  elseif status.pass then
    return { status = "Healthy", reason = "Passed", message = "the analysis passed" }
  elseif status.warning then
    return { status = "Healthy", reason = "Warning", message = "the analysis passed with a warning" }
  end
  return { status = "Degraded", reason = "NotPassed", message = "the analysis did not pass" }
end
