-- A count that was not stated is written, too: the default would run one pod in every member.
function ReviseReplica(obj, replicas)
  obj.spec = obj.spec or {}
  obj.spec.replicas = replicas
  return obj
end
