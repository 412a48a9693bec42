-- Tekton's webhook fills in defaults of the member's own configuration when the run is created, and refuses any
-- other spec once it has started: what the template leaves out stays as it was filled in.
local FILLED = { "serviceAccountName", "timeout", "podTemplate" }

function Retain(desired, observed)
  local own, spec = observed.spec or {}, desired.spec or {}
  for _, field in ipairs(FILLED) do
    if spec[field] == nil then
      spec[field] = own[field]
    end
  end
  for field, value in pairs(own.podTemplate or {}) do
    if spec.podTemplate[field] == nil then
      spec.podTemplate[field] = value
    end
  end
  desired.spec = spec
  return desired
end
