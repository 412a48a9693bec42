-- Compliance is the verdict on the wanted state, for one cluster or over all that a policy is placed on; a verdict on an
-- older spec does not count. A policy that is placed and lists no cluster has none to judge. Bindings report nothing.
local WORDS = { Compliant = "Healthy", NonCompliant = "Degraded", Pending = "Progressing", Terminating = "Progressing" }
local DATA = { PlacementBinding = true, PolicyAutomation = true }

local function answer(status, reason, message)
  return { status = status, reason = reason, message = message and string.match(message, "[^\r\n]+") }
end

-- What is not compliant: clusters of a placed policy, templates of one in a cluster, else the first violation.
local function culprits(status)
  local names = {}
  for _, one in ipairs(status.status or status.details or {}) do
    if one.compliant ~= "Compliant" then
      names[#names + 1] = one.clustername or (one.templateMeta or {}).name
    end
  end
  for _, detail in pairs(status.compliancyDetails or {}) do
    local first = (detail.conditions or {})[1] or detail
    if detail.Compliant == "NonCompliant" or (detail.nonCompliantCertificates or 0) > 0 then
      return first.message
    end
  end
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == "Compliant" then
      return condition.message
    end
  end
  return #names > 0 and "not compliant: " .. table.concat(names, ", ") or nil
end

function InterpretHealth(obj)
  local spec, status, metadata = obj.spec or {}, obj.status or {}, obj.metadata or {}
  local verdict, generation = status.compliant or "", metadata.generation or 0
  local observed = status.observedGeneration or status.lastEvaluatedGeneration or generation
  if metadata.deletionTimestamp then
    return answer("Progressing", "Terminating", "deletion was requested")
  elseif DATA[obj.kind or ""] then
    return answer("Healthy", "PlainData", "nothing to wait for: the kind reports no status")
  elseif spec.disabled then
    return answer("Healthy", "Disabled", "spec.disabled is true")
  elseif observed < generation then
    return answer("Progressing", "StaleStatus", "the verdict is on an older generation")
  elseif verdict ~= "" then
    return answer(WORDS[verdict] or "Unknown", verdict, verdict ~= "Compliant" and culprits(status) or nil)
  elseif status.placement and not (status.status or {})[1] then
    return answer("Healthy", "NoCluster", "no cluster is chosen")
  end
  return answer("Progressing", "NoVerdict", "compliance has not been reported yet")
end
