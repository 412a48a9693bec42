-- A table that cannot get its image is broken, whatever else it reports.
function InterpretHealth(obj)
  local status = obj.status or {}
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "Ready" then
      if condition.status == "True" then
        return true
      end
      return { status = "Degraded", reason = condition.reason, message = condition.message }
    end
  end
  return { status = "Progressing", reason = "NoCondition" }
end
