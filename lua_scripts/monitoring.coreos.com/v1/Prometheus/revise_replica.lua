-- Each replica runs in every shard; shards divide the targets, so they stay.
function ReviseReplica(obj, replicas)
  obj.spec = obj.spec or {}
  obj.spec.replicas = replicas
  return obj
end
