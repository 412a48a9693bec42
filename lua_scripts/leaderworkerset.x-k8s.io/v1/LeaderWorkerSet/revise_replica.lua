-- Groups are all or nothing: pods that do not fill a last group still need it, so the number of groups is rounded up.
function ReviseReplica(obj, replicas)
  obj.spec = obj.spec or {}
  local size = (obj.spec.leaderWorkerTemplate or {}).size or 1
  obj.spec.replicas = math.ceil(replicas / math.max(size, 1))
  return obj
end
