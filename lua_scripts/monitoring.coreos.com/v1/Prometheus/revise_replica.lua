-- Shards divide the targets, so they stay: a count that they do not divide is rounded up to whole replicas of all
-- shards.
function ReviseReplica(obj, replicas)
  obj.spec = obj.spec or {}
  obj.spec.replicas = math.ceil(replicas / math.max(obj.spec.shards or 1, 1))
  return obj
end
