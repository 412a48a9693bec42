-- Synced tells whether the last attempt to reconcile went well, and Ready whether the resource can be used; packages,
-- definitions and operations have goals of their own. Settings have no status that anybody would wait for.
local GOALS = {
  Ready = "Progressing", Established = "Progressing", Offered = "Progressing", Installed = "Degraded", Healthy = "Degraded",
  RevisionHealthy = "Degraded", RuntimeHealthy = "Degraded", Succeeded = "Degraded", Verified = "Degraded",
}
local STEPS = { Synced = true, LastAsyncOperation = true, ValidPipeline = true, Responsive = true, Resolved = true }
local UNDER_WAY = { Creating = true, Deleting = true, Ongoing = true, VerificationPending = true }
local PAUSES = { ReconcilePaused = true, InactivePackageRevision = true }
local SETTINGS = {
  ProviderConfig = true, ClusterProviderConfig = true, ProviderConfigUsage = true, StoreConfig = true, Composition = true,
  CompositionRevision = true, EnvironmentConfig = true, DeploymentRuntimeConfig = true, ControllerConfig = true,
  ImageConfig = true, Lock = true,
}
local RANK = { Healthy = 1, Progressing = 2, Suspended = 3, Degraded = 4 }

local function judge(condition, generation)
  local kind, truth, reason = condition.type or "", condition.status, condition.reason
  local step = kind == "AsyncOperation" or STEPS[kind]
  if not (step or GOALS[kind]) then
    return nil
  elseif truth == "True" and (condition.observedGeneration or generation) < generation then
    return "Progressing"
  elseif truth == "True" then
    return GOALS[kind] and "Healthy"
  elseif PAUSES[reason] then
    return "Suspended"
  elseif reason == "UnpackingPackage" then
    return (condition.message or "") ~= "" and "Degraded" or "Progressing"
  elseif truth ~= "False" or UNDER_WAY[reason] then
    return "Progressing"
  end
  return STEPS[kind] and "Degraded" or GOALS[kind]
end

function InterpretHealth(obj)
  local status, metadata, worst = obj.status or {}, obj.metadata or {}, nil
  -- Before version 0.11 the conditions were one level down.
  for _, condition in ipairs(status.conditions or (status.conditionedStatus or {}).conditions or {}) do
    local word = judge(condition, metadata.generation or 0)
    if word and (not worst or RANK[word] > RANK[worst.status]) then
      local line = string.match(condition.message or "", "[^\r\n]+")
      worst = { status = word, reason = condition.reason or condition.type, message = line }
    end
  end
  if worst and worst.status == "Degraded" then
    return worst
  elseif metadata.deletionTimestamp then
    return { status = "Progressing", reason = "Deleting", message = "deletion was requested" }
  elseif not worst and SETTINGS[obj.kind] then
    return { status = "Healthy", reason = "Settings", message = "the kind reports nothing to wait for" }
  end
  return worst or { status = "Progressing", reason = "NotReady", message = "no condition tells that it is ready" }
end
