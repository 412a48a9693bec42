-- What the pods of all jobs refer to.
local kube = require("kube")

function GetDependencies(obj)
  local namespace, references = (obj.metadata or {}).namespace, {}
  for _, job in ipairs((obj.spec or {}).replicatedJobs or {}) do
    local template = ((job.template or {}).spec or {}).template or {}
    for _, reference in ipairs(kube.getPodDependencies(template, namespace) or {}) do
      references[#references + 1] = reference
    end
  end
  return references
end
