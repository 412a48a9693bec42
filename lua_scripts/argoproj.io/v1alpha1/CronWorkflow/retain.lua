-- The CRD has no status subresource: an update without the member's status would forget the last run and the counts that
-- a stop strategy goes by.
function Retain(desired, observed)
  if observed.status ~= nil then
    desired.status = observed.status
  end
  return desired
end
