-- The CRD has no status subresource, so that an update carries the status. `operation` is the member's inbox: auto-sync
-- and people put a request there, and the controller takes it out as it starts; it must neither vanish nor come back.
function Retain(desired, observed)
  desired.operation = observed.operation
  if observed.status ~= nil then
    desired.status = observed.status
  end
  return desired
end
