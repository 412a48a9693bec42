-- A replica is one pod.
function ReviseReplica(obj, replicas)
  obj.spec = obj.spec or {}
  obj.spec.replicas = replicas
  return obj
end
