-- Red means that data is missing, which is no fault while changes are applied. Yellow lacks copies only, and the
-- phase is Ready again before all nodes are.
local function wantedNodes(spec)
  local wanted = 0
  for _, set in ipairs(spec.nodeSets or {}) do
    wanted = wanted + (set.count or 0)
  end
  return wanted
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local metadata, status, generation = obj.metadata or {}, obj.status or {}, (obj.metadata or {}).generation
  local phase, health = status.phase, status.health
  local message = "phase " .. (phase or "unknown") .. ", health " .. (health or "unknown")
  if (metadata.annotations or {})["eck.k8s.elastic.co/managed"] == "false" then
    return { status = "Suspended", reason = "NotManaged", message = "the operator leaves the object alone" }
  end
  if phase == "Invalid" or phase == "Stalled" then
    return { status = "Degraded", reason = phase, message = message }
  end
  if health == "red" and phase ~= "ApplyingChanges" then
    return { status = "Degraded", reason = "Red", message = message }
  end
  if generation ~= nil and status.observedGeneration ~= nil and status.observedGeneration < generation then
    local outdated = "the operator has not looked at the latest change yet"
    return { status = "Progressing", reason = "StatusOutdated", message = outdated }
  end
  if phase ~= "Ready" or health == "yellow" or (status.availableNodes or 0) < wantedNodes(obj.spec or {}) then
    message = message .. ", " .. (status.availableNodes or 0) .. " nodes available"
    return { status = "Progressing", reason = phase or "NotReported", message = message }
  end
  return { status = health == "green" and "Healthy" or "Unknown", reason = phase, message = message }
end
