-- Tekton's webhook fills in defaults of the member's own configuration when the run is created, and refuses any
-- other spec once it has started: what the template leaves out stays as it was filled in.
local function fill(desired, observed)
  for field, value in pairs(observed) do
    if desired[field] == nil then
      desired[field] = value
    end
  end
end

-- Of these parts only the named fields (without names: all that are left out) are filled in.
local function part(spec, own, field, names)
  local filled = {}
  for name, value in pairs(own[field] or {}) do
    if not names or names[name] then
      filled[name] = value
    end
  end
  if next(filled) then
    spec[field] = spec[field] or {}
    fill(spec[field], filled)
  end
end

function Retain(desired, observed)
  local own, spec = observed.spec or {}, desired.spec or {}
  part(spec, own, "timeouts", { pipeline = true })
  part(spec, own, "taskRunTemplate", { serviceAccountName = true, podTemplate = true })
  part(spec.taskRunTemplate or {}, own.taskRunTemplate or {}, "podTemplate")
  -- v1beta1 has them in the spec itself.
  part(spec, own, "podTemplate")
  for _, field in ipairs({ "serviceAccountName", "timeout" }) do
    if spec[field] == nil then
      spec[field] = own[field]
    end
  end
  desired.spec = spec
  return desired
end
