-- RayClusterProvisioned stays True once all pods have been ready, so the head is asked too.
-- v1alpha1 has no conditions: there the state tells.
local function answer(status, condition, healthy, reason, message)
  condition = condition or {}
  return {
    status = status,
    reason = condition.reason or reason,
    message = condition.message or message,
    healthy = healthy,
  }
end

local function assess(obj)
  local status = obj.status or {}
  local last, on = {}, {}
  for _, condition in ipairs(status.conditions or {}) do
    local kind = condition.type or ""
    last[kind] = condition
    on[kind] = on[kind] or condition.status == "True"
  end
  local ready = on.HeadPodReady and on.RayClusterProvisioned
  if obj.apiVersion == "ray.io/v1alpha1" then
    ready = status.state == "ready"
  end
  if on.RayClusterReplicaFailure then
    return answer("Degraded", last.RayClusterReplicaFailure, false)
  end
  if on.RayClusterSuspended or status.state == "suspended" then
    return answer("Suspended", last.RayClusterSuspended, ready == true, "RayClusterSuspended", "the cluster is suspended")
  end
  if not ready then
    if status.state == "failed" or status.state == "unhealthy" then
      return answer("Degraded", nil, false, "RayClusterFailed", status.reason or "the cluster is " .. status.state)
    end
    local head = last.HeadPodReady
    if head and not on.HeadPodReady then
      return answer(on.RayClusterProvisioned and "Degraded" or "Progressing", head, false)
    end
    return answer("Progressing", last.RayClusterProvisioned, false, "RayClusterProvisioning", "pods are not all ready yet")
  end
  if (status.observedGeneration or 0) < ((obj.metadata or {}).generation or 0) then
    return answer("Progressing", nil, true, "StaleStatus", "the controller has not seen the last change yet")
  end
  return answer("Healthy", last.RayClusterProvisioned, true, "RayClusterReady", "the cluster is ready")
end

-- A deletion changes nothing about the boolean.
function InterpretHealth(obj)
  local health = assess(obj)
  if not (obj.metadata or {}).deletionTimestamp then
    return health
  end
  local healthy = health.healthy
  return { status = "Progressing", reason = "Terminating", message = "deletion was requested", healthy = healthy }
end
