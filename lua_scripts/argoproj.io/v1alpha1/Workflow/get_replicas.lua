-- As many pods as may run at once. What they request differs from step to step, so only the placement that the whole
-- workflow states counts.
local kube = require("kube")

-- The fields that a scheduler knows; workflows are not validated and may carry others.
local function tolerations(entries)
  local known = {}
  for _, entry in ipairs(entries) do
    known[#known + 1] = {
      key = entry.key,
      operator = entry.operator,
      value = entry.value,
      effect = entry.effect,
      tolerationSeconds = entry.tolerationSeconds,
    }
  end
  return known
end

function GetReplicas(obj)
  local spec = obj.spec or {}
  local pod = {
    nodeSelector = spec.nodeSelector,
    tolerations = tolerations(spec.tolerations or {}),
    affinity = spec.affinity,
  }
  return spec.parallelism or 1, kube.accuratePodRequirements({ spec = pod })
end
