-- What the pods of the cluster refer to.
-- Ephemeral containers are debugging aids of running pods; in a template they have no effect.
local kube = require("kube")

function GetDependencies(obj)
  local cluster = (obj.spec or {}).rayClusterConfig or {}
  local templates = {}
  if cluster.headGroupSpec then
    templates[1] = cluster.headGroupSpec.template
  end
  for _, group in ipairs(cluster.workerGroupSpecs or {}) do
    templates[#templates + 1] = group.template
  end

  local references = {}
  local namespace = (obj.metadata or {}).namespace
  for _, template in ipairs(templates) do
    if template.spec then
      template.spec.ephemeralContainers = nil
    end
    for _, reference in ipairs(kube.getPodDependencies(template, namespace) or {}) do
      references[#references + 1] = reference
    end
  end
  return references
end
