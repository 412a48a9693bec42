-- Ready=True means that the index is there. An OCI registry has none; it is left without a status.
-- In v1beta2 the boolean is Ready=True with reason Succeeded and nothing else, as control planes have it; in other
-- versions it follows the status.
local REASONS = { Succeeded = true }

local function state(obj, ready, stalled)
  local observed = (obj.status or {}).observedGeneration
  if (obj.spec or {}).suspend == true then
    return "Suspended", "Suspended", "reconciliation is suspended"
  elseif stalled then
    return "Degraded", stalled.reason, stalled.message
  elseif ready and ready.status == "False" then
    return "Degraded", ready.reason, ready.message
  elseif ready and ready.status ~= "True" then
    return "Progressing", ready.reason, ready.message
  elseif observed and observed < ((obj.metadata or {}).generation or 0) then
    return "Progressing", "NewGeneration", "the controller has not seen the latest generation yet"
  elseif not ready and (obj.spec or {}).type == "oci" then
    return "Healthy", "Static", "an OCI registry is not fetched and needs no status"
  elseif not ready then
    return "Progressing", "NotReady", "the controller has not reported yet"
  end
  return "Healthy", ready.reason, ready.message
end

local function assess(obj)
  local ready, stalled
  local succeeded = false
  for _, condition in ipairs((obj.status or {}).conditions or {}) do
    if condition.type == "Ready" then
      local good = condition.status == "True"
      succeeded = succeeded or good and REASONS[condition.reason or ""] == true
      if good or not ready then
        ready = condition
      end
    elseif condition.type == "Stalled" and condition.status == "True" then
      stalled = condition
    end
  end
  local answer = {}
  answer.status, answer.reason, answer.message = state(obj, ready, stalled)
  if obj.apiVersion == "source.toolkit.fluxcd.io/v1beta2" and answer.reason ~= "Static" then
    answer.healthy = succeeded
  end
  return answer
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
