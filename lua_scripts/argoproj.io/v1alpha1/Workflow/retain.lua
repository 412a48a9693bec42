-- The CRD has no status subresource, so an update without the member's status would run the workflow again.
-- Suspend is set and lifted in the member, by a person or a queue.
function Retain(desired, observed)
  local suspend = (observed.spec or {}).suspend
  if suspend ~= nil then
    desired.spec = desired.spec or {}
    desired.spec.suspend = suspend
  end
  if observed.status ~= nil then
    desired.status = observed.status
  end
  return desired
end
