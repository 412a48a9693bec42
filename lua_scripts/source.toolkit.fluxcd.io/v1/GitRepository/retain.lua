-- A reconciliation is paused and resumed in the member (`flux suspend`), so the member's spec.suspend stands.
function Retain(desired, observed)
  local suspend = (observed.spec or {}).suspend
  if suspend ~= nil then
    desired.spec = desired.spec or {}
    desired.spec.suspend = suspend
  end
  return desired
end
