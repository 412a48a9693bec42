-- What the pods of the cluster and the pod that submits the job refer to.
-- Ephemeral containers are debugging aids of running pods; in a template they have no effect.
local kube = require("kube")

function GetDependencies(obj)
  local spec = obj.spec or {}
  local cluster = spec.rayClusterSpec or {}
  local templates = {}
  if cluster.headGroupSpec then
    templates[1] = cluster.headGroupSpec.template
  end
  for _, group in ipairs(cluster.workerGroupSpecs or {}) do
    templates[#templates + 1] = group.template
  end
  templates[#templates + 1] = spec.submitterPodTemplate

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
