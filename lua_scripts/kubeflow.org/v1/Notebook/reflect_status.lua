-- The controller leaves readyReplicas out at zero; a notebook that reports always has the count.
function ReflectStatus(obj)
  local status = obj.status
  if status == nil then
    return {}
  end
  return {
    conditions = status.conditions,
    containerState = status.containerState,
    readyReplicas = status.readyReplicas or 0,
  }
end
