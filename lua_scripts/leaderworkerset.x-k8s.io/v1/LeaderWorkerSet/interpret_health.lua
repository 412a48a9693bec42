-- Available, Progressing and UpdateInProgress exclude each other and heed a partition; the controller knows no
-- failure. The count of ready groups tells a new size apart that it has not seen yet.
local function find(status, name)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == name then
      return condition
    end
  end
  return {}
end

local function stale(obj)
  local generation = (obj.metadata or {}).generation
  local observed = (obj.status or {}).observedGeneration
  return generation ~= nil and observed ~= nil and observed < generation
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local spec, status = obj.spec or {}, obj.status or {}
  local wanted, ready = spec.replicas or 1, status.readyReplicas or 0
  local update, progress = find(status, "UpdateInProgress"), find(status, "Progressing")
  local counts = ready .. " of " .. wanted .. " groups are ready"
  if stale(obj) then
    local outdated = "the controller has not looked at the latest change yet"
    return { status = "Progressing", reason = "StatusOutdated", message = outdated }
  end
  if update.status == "True" or progress.status == "True" then
    local condition = update.status == "True" and update or progress
    return { status = "Progressing", reason = condition.reason or condition.type, message = condition.message or counts }
  end
  if find(status, "Available").status ~= "True" or ready < wanted then
    return { status = "Progressing", reason = "GroupsNotReady", message = counts }
  end
  return { status = "Healthy", reason = find(status, "Available").reason, message = counts }
end
