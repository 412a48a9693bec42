function ReviseReplica(obj, replicas)
  obj.spec.replicas = replicas
  return obj
end
