-- The status as the controller wrote it: it has no generation to compare with.
function ReflectStatus(obj)
  return obj.status or {}
end
