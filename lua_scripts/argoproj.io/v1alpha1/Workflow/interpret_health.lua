-- The phase decides. A workflow that waits or runs is on its way, but nothing to move away from its cluster.
local FAILED = { Failed = true, Error = true }

local function isWaiting(obj)
  if (obj.spec or {}).suspend == true then
    return true
  end
  for _, node in pairs(obj.status.nodes or {}) do
    if node.type == "Suspend" and node.phase == "Running" then
      return true
    end
  end
  return false
end

local function assess(obj)
  local status = obj.status or {}
  local phase = status.phase
  if phase == nil or phase == "" then
    return { status = "Progressing", reason = "NoPhase", message = "the controller has not started the workflow yet" }
  elseif FAILED[phase] then
    return { status = "Degraded", reason = phase, message = status.message }
  elseif phase == "Succeeded" then
    return { status = "Healthy", reason = phase, message = status.message }
  elseif isWaiting(obj) then
    return { status = "Suspended", reason = "Suspended", message = status.message }
  end
  return { status = "Progressing", reason = phase, message = status.message, healthy = true }
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
