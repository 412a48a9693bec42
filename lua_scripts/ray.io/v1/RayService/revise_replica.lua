-- The head keeps one replica. Workers are split in the ratio they have now (evenly if they have
-- none), rounded half up; the last group takes what is left.
function ReviseReplica(obj, replicas)
  local cluster = (obj.spec or {}).rayClusterConfig or {}
  local groups = cluster.workerGroupSpecs or {}
  local workers, current = math.max(replicas - 1, 0), 0
  for _, group in ipairs(groups) do
    current = current + (group.replicas or 0)
  end
  local left = workers
  for index, group in ipairs(groups) do
    local ratio = 1 / #groups
    if current > 0 then
      ratio = (group.replicas or 0) / current
    end
    local share = math.min(math.floor(workers * ratio + 0.5), left)
    if index == #groups then
      share = left
    end
    group.replicas = share
    left = left - share
  end
  return obj
end
