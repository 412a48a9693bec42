-- Succeeded is Unknown while the run is under way; its reason tells a run that waits for somebody to start it.
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

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local succeeded = find(obj, "Succeeded")
  if succeeded and succeeded.status == "True" then
    return say("Healthy", succeeded)
  elseif succeeded and succeeded.status == "False" then
    return say("Degraded", succeeded)
  elseif (obj.spec or {}).status == "PipelineRunPending" then
    return { status = "Suspended", reason = "PipelineRunPending", message = "spec.status keeps the run from starting" }
  elseif succeeded then
    return say("Progressing", succeeded)
  end
  return { status = "Progressing", reason = "NotStarted", message = "the run has not started yet" }
end
