-- The revision template holds a pod spec; its configuration, route and revisions are the controller's own.
local kube = require("kube")

function GetDependencies(obj)
  local template = (obj.spec or {}).template
  if template == nil then
    return {}
  end
  return kube.getPodDependencies(template, (obj.metadata or {}).namespace) or {}
end
