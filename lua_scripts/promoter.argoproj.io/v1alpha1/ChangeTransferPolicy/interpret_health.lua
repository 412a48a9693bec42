-- The environment is done once the commit that was proposed for it is active. The note tells of a newer commit that
-- changed nothing there. Checks explain what is waited for.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

local function waits(active, proposed)
  local sha, wanted, checks = (active.dry or {}).sha or "", (proposed.dry or {}).sha or "", {}
  if sha == "" or wanted == "" then
    return "commits are not known yet"
  elseif sha == wanted or sha == (proposed.note or {}).drySha then
    return nil
  end
  for _, check in ipairs(proposed.commitStatuses or {}) do
    if check.phase ~= "success" then
      checks[#checks + 1] = (check.key or "a check") .. " is " .. (check.phase or "pending")
    end
  end
  return #checks > 0 and table.concat(checks, ", ") or "the proposed commit is not promoted yet"
end

function InterpretHealth(obj)
  local status, metadata, ready = obj.status or {}, obj.metadata or {}, { status = "Missing" }
  for _, condition in ipairs(status.conditions or {}) do
    ready = condition.type == "Ready" and condition or ready
  end
  local truth, seen = string.lower(tostring(ready.status)), ready.observedGeneration or math.huge
  local reason, text = ready.reason, waits(status.active or {}, status.proposed or {})
  if metadata.deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif truth == "false" then
    return answer("Degraded", reason or "NotReady", ready.message)
  elseif truth ~= "true" or seen < (metadata.generation or 0) then
    return answer("Progressing", reason or "NotReported", ready.message or "not reconciled yet")
  elseif text then
    return answer("Progressing", "NotPromoted", text)
  end
  return answer("Healthy", "Promoted", "the proposed commit is active")
end
