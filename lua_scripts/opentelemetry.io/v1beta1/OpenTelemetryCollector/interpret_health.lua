-- The operator counts ready and wanted replicas in one text, such as 1/2. A sidecar runs in the pods of others: to
-- have seen it is all that the operator does. No node to run on is no fault of a daemon set.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

function InterpretHealth(obj)
  local spec, status = obj.spec or {}, obj.status or {}
  local counts = (status.scale or {}).statusReplicas or ""
  local ready, total = string.match(counts, "^(%d+)/(%d+)$")
  if (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif spec.managementState == "unmanaged" then
    return answer("Suspended", "Unmanaged", "spec.managementState is unmanaged")
  elseif not status.version and not total then
    return answer("Progressing", "NoStatus", "the operator has not reported yet")
  elseif spec.mode == "sidecar" then
    return answer("Healthy", "Sidecar", "it is put into pods that ask for it")
  elseif not total then
    return answer("Progressing", "NoReplicas", "the operator has not counted replicas yet")
  end
  ready, total = tonumber(ready), tonumber(total)
  local wanted = spec.mode ~= "daemonset" and not spec.autoscaler and spec.replicas or total
  local text = counts .. " replicas are ready"
  if ready == 0 and total > 0 then
    return answer("Degraded", "NoReplicaReady", text)
  elseif ready < total or total < wanted then
    return answer("Progressing", "ReplicasNotReady", text)
  end
  return answer("Healthy", "ReplicasReady", text)
end
