-- Members tell one by one. Without a cluster that fits the scheduler tries again, as with pods; that health is unknown
-- says only that nobody interprets it there. A binding that others need follows them and chooses no clusters itself.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

local function unscheduled(conditions)
  for _, condition in ipairs(conditions or {}) do
    if condition.type == "Scheduled" and condition.status == "False" then
      return answer("Progressing", condition.reason or "NotScheduled", condition.message)
    end
  end
end

function InterpretHealth(obj)
  local spec, status, seen, missing = obj.spec or {}, obj.status or {}, {}, {}
  local suspension, members = spec.suspension or {}, status.aggregatedStatus or {}
  for _, member in ipairs(members) do
    local name = member.clusterName or ""
    seen[name] = true
    if member.applied == false then
      return answer("Degraded", "NotApplied", name .. ": " .. (member.appliedMessage or "the resource is not applied"))
    elseif member.health == "Unhealthy" then
      return answer("Degraded", "Unhealthy", name .. ": the resource is unhealthy")
    end
  end
  for _, cluster in ipairs(spec.clusters or {}) do
    if not seen[cluster.name or ""] then
      missing[#missing + 1] = cluster.name
    end
  end
  if (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif suspension.dispatching or suspension.scheduling then
    return answer("Suspended", "Suspended", suspension.dispatching and "dispatching is suspended" or "scheduling is suspended")
  elseif #missing > 0 then
    return answer("Progressing", "NotReported", "not reported yet by " .. table.concat(missing, ", "))
  elseif #members == 0 or unscheduled(status.conditions) then
    return unscheduled(status.conditions) or answer("Progressing", "NotScheduled", "no cluster has reported yet")
  end
  return answer("Healthy", "Applied", #members .. " of " .. #members .. " clusters applied it")
end
