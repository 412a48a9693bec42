-- The state of the notebook's container decides. A stopped notebook has none: it is suspended on purpose, but for the
-- control plane it does not run, as before.
local BROKEN = { Error = true, OOMKilled = true, ContainerCannotRun = true }

local function waiting(state)
  if state.reason == "ContainerCreating" then
    return { status = "Progressing", reason = state.reason, message = state.message, healthy = true }
  end
  local isQueued = state.reason == nil or state.reason == "PodInitializing"
  return {
    status = isQueued and "Progressing" or "Degraded",
    reason = state.reason or "Waiting",
    message = state.message,
  }
end

local function terminated(state)
  local message = state.message or "exit code " .. tostring(state.exitCode or 0)
  if BROKEN[state.reason] or (state.exitCode or 0) ~= 0 then
    return { status = "Degraded", reason = state.reason or "Terminated", message = message }
  end
  -- The server ended by itself; its pod starts it again.
  return { status = "Progressing", reason = state.reason or "Terminated", message = message, healthy = true }
end

local function assess(obj)
  local status = obj.status or {}
  local state = status.containerState or {}
  if state.running ~= nil then
    if (status.readyReplicas or 0) > 0 then
      return { status = "Healthy", reason = "Running", message = "the notebook is ready" }
    end
    return { status = "Progressing", reason = "NotReady", message = "the container runs but is not ready", healthy = true }
  elseif state.waiting ~= nil then
    return waiting(state.waiting)
  elseif state.terminated ~= nil then
    return terminated(state.terminated)
  end
  local annotations = (obj.metadata or {}).annotations or {}
  if annotations["kubeflow-resource-stopped"] ~= nil then
    return { status = "Suspended", reason = "Stopped", message = "the notebook is stopped", healthy = false }
  end
  return { status = "Progressing", reason = "NoContainer", message = "the notebook has no container yet" }
end

-- A deletion changes nothing about the boolean.
function InterpretHealth(obj)
  local health = assess(obj)
  if not (obj.metadata or {}).deletionTimestamp then
    return health
  end
  local healthy = health.healthy
  if healthy == nil then
    healthy = health.status == "Healthy" or health.status == "Suspended" or nil
  end
  return { status = "Progressing", reason = "Terminating", message = "deletion was requested", healthy = healthy }
end
