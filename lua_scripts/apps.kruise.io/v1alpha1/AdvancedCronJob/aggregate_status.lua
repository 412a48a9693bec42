-- Running jobs of all members are listed; type and last run are those of the last member that has them, since all
-- members run the same template on the same schedule. Without any list of members the template stays as it is.
function AggregateStatus(desired, items)
  if items == nil then
    return desired
  end
  local status, active = { type = "" }, {}
  for _, item in ipairs(items) do
    local member = item.status or {}
    for _, job in ipairs(member.active or {}) do
      active[#active + 1] = job
    end
    status.type = member.type or status.type
    status.lastScheduleTime = member.lastScheduleTime or status.lastScheduleTime
  end
  if #active > 0 then
    status.active = active
  end
  desired.status = status
  return desired
end
