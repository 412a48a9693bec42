-- Replicas are the total of all subsets; Kruise runs one where the spec does not say how many.
local kube = require("kube")

local WORKLOADS = { "statefulSetTemplate", "advancedStatefulSetTemplate", "cloneSetTemplate", "deploymentTemplate" }

-- The pod template of the one workload that the template holds, else the template itself.
local function podTemplate(template)
  for _, field in ipairs(WORKLOADS) do
    if template[field] ~= nil then
      return (template[field].spec or {}).template
    end
  end
  return template
end

function GetReplicas(obj)
  local spec = obj.spec or {}
  local template = podTemplate(spec.template or {})
  return spec.replicas or 1, template and kube.accuratePodRequirements(template)
end
