-- How many pods run depends on the nodes, which only the member knows: parallelism bounds it, else one node counts.
local kube = require("kube")

function GetReplicas(obj)
  local spec = obj.spec or {}
  -- A share of the nodes ("50%") is no count, either.
  return tonumber(spec.parallelism) or 1, spec.template and kube.accuratePodRequirements(spec.template)
end
