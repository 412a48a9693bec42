-- Only the counts: revision names differ from member to member. A count that is absent is zero.
function ReflectStatus(obj)
  local status = obj.status
  if status == nil then
    return {}
  end
  return {
    matchedPods = status.matchedPods or 0,
    readyPods = status.readyPods or 0,
    updatedPods = status.updatedPods or 0,
  }
end
