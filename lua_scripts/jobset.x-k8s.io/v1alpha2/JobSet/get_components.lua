-- A replicated job is so many equal jobs, each with as many pods at a time as its parallelism, at most its
-- completions.
local kube = require("kube")

function GetComponents(obj)
  local components = {}
  for index, job in ipairs((obj.spec or {}).replicatedJobs or {}) do
    local spec = (job.template or {}).spec or {}
    local pods = spec.parallelism or 1
    components[index] = {
      name = job.name or "job-" .. index,
      replicas = (job.replicas or 1) * math.min(pods, spec.completions or pods),
      replicaRequirements = kube.accuratePodRequirements(spec.template or {}),
    }
  end
  return components
end
