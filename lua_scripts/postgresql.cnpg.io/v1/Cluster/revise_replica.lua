function ReviseReplica(obj, replicas)
  obj.spec = obj.spec or {}
  obj.spec.instances = replicas
  return obj
end
