-- Synced tells the last attempt to unseal; a secret that could not be decrypted stays so until somebody seals it anew.
local STATUS = { True = "Healthy", False = "Degraded" }

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status, generation = obj.status or {}, (obj.metadata or {}).generation or 0
  local word, synced
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "Synced" then
      synced, word = condition, STATUS[condition.status]
    end
  end
  if word ~= "Degraded" and (status.observedGeneration or generation) < generation then
    return { status = "Progressing", reason = "StaleStatus", message = "the status is of an older generation" }
  elseif word then
    return { status = word, reason = synced.reason or "Synced", message = synced.message }
  end
  return { status = "Progressing", reason = "NotUnsealed", message = "the controller has not unsealed it yet" }
end
