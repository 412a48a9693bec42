-- The operator's status as it is.
function ReflectStatus(obj)
  return obj.status or {}
end
