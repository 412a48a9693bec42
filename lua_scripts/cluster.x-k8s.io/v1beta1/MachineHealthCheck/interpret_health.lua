-- The check is as healthy as the machines that it watches; when too many are not, it may not remedy them any more.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status, metadata = obj.status or {}, obj.metadata or {}
  local generation, healthy, expected = metadata.generation or 0, status.currentHealthy, status.expectedMachines
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "RemediationAllowed" and condition.status == "False" then
      return answer("Degraded", condition.reason or "TooManyUnhealthy", condition.message)
    end
  end
  if (metadata.annotations or {})["cluster.x-k8s.io/paused"] then
    return answer("Suspended", "Paused", "reconciliation is paused")
  elseif (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  elseif not (healthy or expected) then
    return answer("Progressing", "NoStatus", "the controller has not counted the machines yet")
  end
  local text = (healthy or 0) .. " of " .. (expected or 0) .. " machines are healthy"
  if (healthy or 0) < (expected or 0) then
    return answer("Degraded", "MachinesUnhealthy", text)
  end
  return answer("Healthy", "MachinesHealthy", text)
end
