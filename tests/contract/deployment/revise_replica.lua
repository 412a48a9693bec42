function ReviseReplica(obj, replicas)
  if obj.spec.replicas ~= nil then
    obj.spec.replicas = replicas
  end
  return obj
end
