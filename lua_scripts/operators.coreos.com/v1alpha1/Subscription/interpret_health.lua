-- All conditions tell of troubles. A plan that a person has to approve holds up an upgrade, not the operator that is
-- installed already; before the first one there is nothing but the plan. A missing plan is made anew, if still needed.
local FAULTS = {
  CatalogSourcesUnhealthy = true, InstallPlanFailed = true, ResolutionFailed = true, BundleUnpackFailed = true,
}
local WORK = { InstallPlanPending = true, InstallPlanMissing = true, BundleUnpacking = true }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

function InterpretHealth(obj)
  local status, approval, waiting = obj.status or {}, false, nil
  local state, installed = status.state or "", status.installedCSV or ""
  for _, condition in ipairs(status.conditions or {}) do
    local kind = condition.type or ""
    if condition.status == "True" and FAULTS[kind] then
      return answer("Degraded", condition.reason or kind, condition.message or kind)
    elseif condition.status == "True" and WORK[kind] and (kind ~= "InstallPlanMissing" or state ~= "AtLatestKnown") then
      approval = approval or condition.reason == "RequiresApproval"
      waiting = answer("Progressing", condition.reason or kind, condition.message or kind)
    end
  end
  if string.find(state, "Failed$") then
    return answer("Degraded", state, "the upgrade failed")
  elseif (obj.metadata or {}).deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif installed ~= "" and approval then
    return answer("Healthy", "RequiresApproval", installed .. " is installed, an upgrade waits to be approved")
  elseif waiting then
    return waiting
  elseif state == "AtLatestKnown" then
    return answer("Healthy", state, installed ~= "" and installed .. " is installed" or nil)
  end
  return answer("Progressing", state ~= "" and state or "NoState", status.currentCSV or "no version is chosen yet")
end
