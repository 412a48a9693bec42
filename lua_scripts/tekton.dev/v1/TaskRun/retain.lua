-- Tekton's webhook fills in defaults of the member's own configuration when the run is created, and refuses any
-- other spec once it has started: what the template leaves out stays as it was filled in.
local function fill(desired, observed)
  for field, value in pairs(observed) do
    if desired[field] == nil then
      desired[field] = value
    end
  end
end

function Retain(desired, observed)
  local own, spec = observed.spec or {}, desired.spec or {}
  for _, field in ipairs({ "serviceAccountName", "timeout", "podTemplate" }) do
    if spec[field] == nil then
      spec[field] = own[field]
    end
  end
  fill(spec.podTemplate or {}, own.podTemplate or {})
  desired.spec = spec
  return desired
end
