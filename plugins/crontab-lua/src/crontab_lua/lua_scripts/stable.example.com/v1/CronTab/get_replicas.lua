function GetReplicas(obj)
  return obj.spec.replicas or 1, { resourceRequest = { cpu = "100m", memory = "64Mi" } }
end
