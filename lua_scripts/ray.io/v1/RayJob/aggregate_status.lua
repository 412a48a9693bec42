-- The worst states stand. Reason and message explain the deployment status, so they come from the member that
-- decides it.
-- A state that is not listed is not known to be over: it counts as the empty one.
local jobs = { SUCCEEDED = 1, [""] = 2, PENDING = 3, RUNNING = 4, STOPPED = 5, FAILED = 6 }
local deployments = {
  Complete = 1,
  [""] = 2,
  Running = 3,
  Initializing = 4,
  Waiting = 5,
  Suspended = 6,
  Suspending = 7,
  Retrying = 8,
  Failed = 9,
  ValidationFailed = 10,
}

local function worse(ranks, one, other)
  if one == nil or other == nil then
    return one ~= nil
  end
  return (ranks[one] or 2) > (ranks[other] or 2)
end

function AggregateStatus(desired, items)
  items = items or {}
  if #items == 1 then
    desired.status = items[1].status
    return desired
  end
  local status = {}
  for _, item in ipairs(items) do
    local member = item.status or {}
    if worse(jobs, member.jobStatus, status.jobStatus) then
      status.jobStatus = member.jobStatus
    end
    if worse(deployments, member.jobDeploymentStatus, status.jobDeploymentStatus) then
      status.jobDeploymentStatus = member.jobDeploymentStatus
      status.reason = member.reason
      status.message = member.message
    end
  end
  desired.status = next(status) ~= nil and status or nil
  return desired
end
