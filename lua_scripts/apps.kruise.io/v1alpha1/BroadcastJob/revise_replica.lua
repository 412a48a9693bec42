-- Parallelism is the count that can be divided; where it is not stated, the member would not be bounded at all.
function ReviseReplica(obj, replicas)
  obj.spec = obj.spec or {}
  obj.spec.parallelism = replicas
  return obj
end
