-- A replica is an instance, the primary included.
function ReviseReplica(obj, replicas)
  obj.spec = obj.spec or {}
  obj.spec.instances = replicas
  return obj
end
