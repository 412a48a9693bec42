-- What the pods refer to by name; the claims of claim templates are made by the controller.
local kube = require("kube")

function GetDependencies(obj)
  local template = (obj.spec or {}).template
  if template == nil then
    return {}
  end
  return kube.getPodDependencies(template, (obj.metadata or {}).namespace) or {}
end
