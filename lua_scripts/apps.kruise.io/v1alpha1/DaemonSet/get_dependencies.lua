-- What the pods refer to by name.
local kube = require("kube")

function GetDependencies(obj)
  local template = (obj.spec or {}).template
  if template == nil then
    return {}
  end
  return kube.getPodDependencies(template, (obj.metadata or {}).namespace) or {}
end
