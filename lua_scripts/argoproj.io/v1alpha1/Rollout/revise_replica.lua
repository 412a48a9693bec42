-- Replicas are pods of the old and the new version together.
function ReviseReplica(obj, replicas)
  obj.spec = obj.spec or {}
  obj.spec.replicas = replicas
  return obj
end
