-- A replica is one of the pods that may run at the same time.
function ReviseReplica(obj, replicas)
  obj.spec = obj.spec or {}
  obj.spec.parallelism = replicas
  return obj
end
