-- Ready is also true where nothing was written on purpose (the provider has no such secret, or the Secret to
-- merge into is not there): that is Missing. syncedResourceVersion starts with the generation that was synced,
-- which tells a stale status.
local function find(obj, kind)
  for _, condition in ipairs((obj.status or {}).conditions or {}) do
    if condition.type == kind then
      return condition
    end
  end
end

local function say(status, condition)
  local line = string.match(condition.message or "", "[^\r\n]+")
  return { status = status, reason = condition.reason, message = line }
end

-- The generation is only synced again where the spec refreshes at all.
local function stale(obj)
  local spec, status = obj.spec or {}, obj.status or {}
  local never = string.match(spec.refreshInterval or "", "^0%a*$")
  if never or spec.refreshPolicy == "CreatedOnce" then
    return false
  end
  local synced = string.match(status.syncedResourceVersion or "", "^(%d+)%-")
  return synced ~= nil and tonumber(synced) < ((obj.metadata or {}).generation or 0)
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local ready, deleted = find(obj, "Ready"), find(obj, "Deleted")
  if deleted and deleted.status == "True" then
    return say("Missing", deleted)
  end
  if not ready then
    return { status = "Progressing", reason = "NoStatus", message = "the secret has not been synced yet" }
  end
  if ready.status == "False" then
    return say("Degraded", ready)
  end
  if ready.reason == "SecretDeleted" or ready.reason == "SecretMissing" then
    return say("Missing", ready)
  end
  if stale(obj) then
    return { status = "Progressing", reason = "StaleGeneration", message = "an older generation is synced" }
  end
  return say(ready.status == "True" and "Healthy" or "Progressing", ready)
end
