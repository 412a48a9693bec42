-- The controller's status as it is. Kyverno has no observedGeneration, so that generations would tell nothing.
function ReflectStatus(obj)
  return obj.status or {}
end
