-- A notebook is one pod, whether it runs or is stopped.
local kube = require("kube")

function GetReplicas(obj)
  local template = (obj.spec or {}).template
  if template == nil then
    return 1
  end
  return 1, kube.accuratePodRequirements(template)
end
