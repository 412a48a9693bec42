-- The state decides about backups, restores, hook runs and vaults. Other kinds, and controllers that have not come to
-- a state yet, are told by their steps: a False one is a failure unless it waits.
local STATES = {
  failed = "Degraded", error = "Degraded", completed = "Healthy", available = "Healthy", ready = "Healthy",
  established = "Healthy", promoted = "Healthy",
}

local function failedStep(conditions)
  for _, condition in ipairs(conditions) do
    local reason = condition.reason
    if condition.status == "False" and reason ~= "Waiting" and reason ~= "Pending" then
      return condition
    end
  end
end

function InterpretHealth(obj)
  local status = obj.status or {}
  local state, step = status.state or "", failedStep(status.conditions or {})
  local word, text = STATES[string.lower(state)], status.error
  if not word and step then
    return { status = "Degraded", reason = step.reason or step.type, message = step.message }
  elseif word == "Degraded" then
    return { status = word, reason = state, message = text or (step or {}).message }
  elseif (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  elseif state == "" then
    return { status = "Progressing", reason = "NoState", message = "the controller has not come to a state yet" }
  end
  return { status = word or "Progressing", reason = state, message = text }
end
