-- An environment is done once the commit that was proposed for it is active. The note tells of a newer commit that
-- changed nothing there. Checks explain what is waited for; several environments are done once all have the same commit.
local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

local function waits(environment)
  local active, proposed = environment.active or {}, environment.proposed or {}
  local name, sha = environment.branch and environment.branch .. ": " or "", (active.dry or {}).sha or ""
  local wanted, note = (proposed.dry or {}).sha or "", (proposed.note or {}).drySha or ""
  if sha == "" or wanted == "" then
    return name .. "commits are not known yet"
  elseif sha ~= wanted and sha ~= note then
    local checks = {}
    for _, check in ipairs(proposed.commitStatuses or {}) do
      if check.phase ~= "success" then
        checks[#checks + 1] = (check.key or "a check") .. " is " .. (check.phase or "pending")
      end
    end
    return name .. (#checks > 0 and table.concat(checks, ", ") or "the proposed commit is not promoted yet")
  end
  return nil, note ~= "" and note or wanted
end

function InterpretHealth(obj)
  local status, metadata, ready = obj.status or {}, obj.metadata or {}, { status = "Missing" }
  for _, condition in ipairs(status.conditions or {}) do
    ready = condition.type == "Ready" and condition or ready
  end
  local truth, seen = string.lower(tostring(ready.status)), ready.observedGeneration or math.huge
  if metadata.deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif truth == "false" then
    return answer("Degraded", ready.reason or "NotReady", ready.message)
  elseif truth ~= "true" or seen < (metadata.generation or 0) then
    return answer("Progressing", ready.reason or "NotReported", ready.message or "the latest generation is not reconciled yet")
  end
  local environments, commit = status.environments or {}, nil
  for _, environment in ipairs(environments[1] and environments or { status }) do
    local text, current = waits(environment)
    if text or commit and commit ~= current then
      return answer("Progressing", "NotPromoted", text or "not all environments have the same commit")
    end
    commit = current
  end
  return answer("Healthy", "Promoted", "the proposed commit is active")
end
