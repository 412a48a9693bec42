-- The phase says what the operator is doing. A failover counts as a failure: the primary is lost until it is over.
-- Hibernation and a disabled reconciliation loop are wanted, by annotation.
local failed = {
  ["Failing over"] = "FailingOver",
  ["Cluster is unrecoverable and needs manual intervention"] = "Unrecoverable",
  ["Cluster has incomplete or invalid image catalog"] = "InvalidImageCatalog",
  ["Cluster cannot proceed to reconciliation due to an unknown plugin being required"] = "UnknownPlugin",
  ["Cluster cannot proceed to reconciliation due to an error while interacting with plugins"] = "PluginFailure",
  ["Cluster cannot execute instance online upgrade due to missing architecture binary"] = "MissingArchitecture",
  ["Unable to create required cluster objects"] = "ObjectsNotCreated",
}

local function find(status, name)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == name then
      return condition
    end
  end
  return {}
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local spec, status, annotations = obj.spec or {}, obj.status or {}, (obj.metadata or {}).annotations or {}
  local phase, message = status.phase or "", status.phaseReason or status.phase
  local hibernation, ready = find(status, "cnpg.io/hibernation"), find(status, "Ready")
  if annotations["cnpg.io/reconciliationLoop"] == "disabled" then
    return { status = "Suspended", reason = "ReconciliationDisabled", message = "the reconciliation loop is disabled" }
  end
  if hibernation.status == "True" then
    return { status = "Suspended", reason = "Hibernated", message = hibernation.message }
  end
  if failed[phase] ~= nil then
    return { status = "Degraded", reason = failed[phase], message = message }
  end
  if phase == "Waiting for user action" then
    return { status = "Suspended", reason = "WaitingForUser", message = message }
  end
  if annotations["cnpg.io/hibernation"] == "on" then
    return { status = "Progressing", reason = "Hibernating", message = hibernation.message or message }
  end
  if phase ~= "Cluster in healthy state" then
    return { status = "Progressing", reason = "NotReady", message = message or "the operator has not reported a phase yet" }
  end
  if ready.status == "False" or (status.readyInstances or 0) < (spec.instances or 0) then
    return { status = "Progressing", reason = ready.reason or "InstancesNotReady", message = ready.message or message }
  end
  return { status = "Healthy", reason = ready.reason, message = message }
end
