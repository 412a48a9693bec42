-- Tekton's webhook fills in defaults of the member's own configuration when the run is created, and refuses any
-- other spec once it has started: what the template leaves out stays as it was filled in.
local function fill(desired, observed, fields)
  for _, field in ipairs(fields) do
    if desired[field] == nil then
      desired[field] = observed[field]
    end
  end
end

local function fillPod(desired, observed)
  for field, value in pairs(observed.podTemplate or {}) do
    if desired.podTemplate and desired.podTemplate[field] == nil then
      desired.podTemplate[field] = value
    end
  end
end

function Retain(desired, observed)
  local own, spec = observed.spec or {}, desired.spec or {}
  fill(spec, own, { "timeouts", "taskRunTemplate" })
  fill(spec.timeouts or {}, own.timeouts or {}, { "pipeline" })
  local run, ownRun = spec.taskRunTemplate or {}, own.taskRunTemplate or {}
  fill(run, ownRun, { "serviceAccountName", "podTemplate" })
  fillPod(run, ownRun)
  -- v1beta1 has them in the spec itself.
  fill(spec, own, { "serviceAccountName", "timeout", "podTemplate" })
  fillPod(spec, own)
  desired.spec = spec
  return desired
end
