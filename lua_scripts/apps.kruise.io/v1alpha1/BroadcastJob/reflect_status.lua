-- The whole status is small, and the control plane needs all of it. A BroadcastJob observes no generation.
function ReflectStatus(obj)
  return obj.status or {}
end
