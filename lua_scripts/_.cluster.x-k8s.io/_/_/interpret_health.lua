-- A False condition of severity Error has given up, others are on their way; terminal failures have fields of their own.
-- Newer controllers report work as conditions that are True while it goes on. Templates and addresses are data.
local WORK = { RollingOut = true, ScalingUp = true, ScalingDown = true, Remediating = true, Deleting = true }
local DONE = { Provisioned = true, Running = true }
local GOALS = { Ready = true, Available = true, ResourcesApplied = true, TopologyReconciled = true }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message }
end

local function judge(condition)
  local kind, truth, reason = condition.type or "", condition.status, condition.reason or ""
  local working = WORK[kind] or string.find(kind, "Updating$") or string.find(kind, "Creating$")
  local failed = condition.severity == "Error" or string.find(reason, "Failed") or string.find(reason, "Error")
  if truth == "False" and failed and not working then
    return "Degraded"
  elseif kind == "Paused" and truth == "True" then
    return "Suspended"
  elseif working and truth == "True" or GOALS[kind] and truth ~= "True" then
    return "Progressing"
  end
end

local RANK = { Progressing = 1, Suspended = 2, Degraded = 3 }

function InterpretHealth(obj)
  local spec, status, metadata, worst = obj.spec or {}, obj.status or {}, obj.metadata or {}, nil
  local phase, generation = status.phase or "", metadata.generation or 0
  -- In v1beta1 the newer conditions are one level down.
  for _, conditions in ipairs({ status.conditions or {}, (status.v1beta2 or {}).conditions or {} }) do
    for _, condition in ipairs(conditions) do
      local word = judge(condition)
      if word and (not worst or RANK[word] > RANK[worst.status]) then
        worst = answer(word, condition.reason or condition.type, string.match(condition.message or "", "[^\r\n]+"))
      end
    end
  end
  local failure, ready = status.failureMessage or status.failureReason, status.readyReplicas or status.availableReplicas
  if failure or phase == "Failed" then
    return answer("Degraded", status.failureReason or "Failed", failure or (worst or {}).message)
  elseif worst and worst.status == "Degraded" then
    return worst
  elseif spec.paused or (metadata.annotations or {})["cluster.x-k8s.io/paused"] then
    return answer("Suspended", "Paused", "reconciliation is paused")
  elseif (status.observedGeneration or generation) < generation then
    return answer("Progressing", "StaleStatus", "the status is of an older generation")
  elseif worst or metadata.deletionTimestamp then
    return worst or answer("Progressing", "Deleting", "deletion was requested")
  elseif phase ~= "" and not DONE[phase] or status.ready == false then
    return answer("Progressing", phase ~= "" and phase or "NotReady", "not ready yet")
  elseif spec.replicas and ready and ready < spec.replicas then
    return answer("Progressing", "MachinesNotReady", ready .. " of " .. spec.replicas .. " are ready")
  elseif status.conditions or phase ~= "" or status.ready or ready then
    return answer("Healthy", phase ~= "" and phase or "Ready", "no condition tells of work or of failures")
  elseif string.find(obj.kind or "", "Template$") or obj.kind == "IPAddress" then
    return answer("Healthy", "Data", "the kind reports nothing to wait for")
  end
  return answer("Progressing", "NoStatus", "the controller has not reported yet")
end
