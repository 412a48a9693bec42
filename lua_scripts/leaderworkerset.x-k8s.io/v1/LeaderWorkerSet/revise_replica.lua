-- A replica is a whole group.
function ReviseReplica(obj, replicas)
  obj.spec = obj.spec or {}
  obj.spec.replicas = replicas
  return obj
end
