-- A job queue owns a queued job set in its member: it suspends and resumes it, and places the pods of an admitted
-- one. The API refuses other templates while jobs run, so what the queue wrote there must stay.
local function queued(obj)
  return ((obj.metadata or {}).labels or {})["kueue.x-k8s.io/queue-name"] ~= nil
end

local function podTemplate(job)
  return ((job.template or {}).spec or {}).template
end

function Retain(desired, observed)
  if not queued(observed) or desired.spec == nil or observed.spec == nil then
    return desired
  end
  desired.spec.suspend = observed.spec.suspend
  local templates = {}
  for _, job in ipairs(observed.spec.replicatedJobs or {}) do
    templates[job.name or ""] = podTemplate(job)
  end
  for _, job in ipairs(desired.spec.replicatedJobs or {}) do
    local wanted, actual = podTemplate(job), templates[job.name or ""]
    if wanted ~= nil and actual ~= nil then
      wanted.metadata = actual.metadata
      wanted.spec, actual.spec = wanted.spec or {}, actual.spec or {}
      for _, field in ipairs({ "nodeSelector", "tolerations", "schedulingGates" }) do
        wanted.spec[field] = actual.spec[field]
      end
    end
  end
  return desired
end
