-- What the pods of a run refer to by name; a template holds either a Job or a BroadcastJob.
local kube = require("kube")

function GetDependencies(obj)
  local template = (obj.spec or {}).template or {}
  local job = template.jobTemplate or template.broadcastJobTemplate or {}
  local pod = (job.spec or {}).template
  if pod == nil then
    return {}
  end
  return kube.getPodDependencies(pod, (obj.metadata or {}).namespace) or {}
end
