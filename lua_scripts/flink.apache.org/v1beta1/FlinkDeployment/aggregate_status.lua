-- A deployment runs in one cluster at a time: the last member that has a status speaks for it.
function AggregateStatus(desired, items)
  if items == nil then
    return desired
  end
  desired.status = nil
  for _, item in ipairs(items) do
    desired.status = item.status or desired.status
  end
  return desired
end
