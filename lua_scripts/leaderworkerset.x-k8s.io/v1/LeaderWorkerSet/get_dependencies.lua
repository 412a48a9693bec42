-- What the pods of leaders and workers refer to.
local kube = require("kube")

function GetDependencies(obj)
  local namespace, references = (obj.metadata or {}).namespace, {}
  local group = (obj.spec or {}).leaderWorkerTemplate or {}
  for _, template in ipairs({ group.workerTemplate or {}, group.leaderTemplate }) do
    for _, reference in ipairs(kube.getPodDependencies(template, namespace) or {}) do
      references[#references + 1] = reference
    end
  end
  return references
end
