-- What the pods of the subsets refer to by name.
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

function GetDependencies(obj)
  local template = podTemplate((obj.spec or {}).template or {})
  if template == nil then
    return {}
  end
  return kube.getPodDependencies(template, (obj.metadata or {}).namespace) or {}
end
