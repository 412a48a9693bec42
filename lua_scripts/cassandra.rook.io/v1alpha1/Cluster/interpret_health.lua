-- The only word on a cluster are the counts of its racks: each one that is wanted has all its members, and they are ready.
function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local racks, wanted = (obj.status or {}).racks, {}
  if racks == nil then
    return { status = "Progressing", reason = "NoStatus", message = "the operator has not reported yet" }
  end
  for name, rack in pairs(racks) do
    wanted[name] = rack.members or 0
  end
  for _, rack in ipairs(((obj.spec or {}).datacenter or {}).racks or {}) do
    wanted[rack.name or ""] = rack.members or 0
  end
  local ready, total, moving = 0, 0, false
  for name, members in pairs(wanted) do
    local rack = racks[name] or {}
    ready, total = ready + (rack.readyMembers or 0), total + members
    moving = moving or (rack.members or 0) ~= members or (rack.readyMembers or 0) < members
  end
  local text = ready .. " of " .. total .. " members are ready"
  if moving then
    return { status = "Progressing", reason = "MembersNotReady", message = text }
  end
  return { status = "Healthy", reason = "MembersReady", message = text }
end
