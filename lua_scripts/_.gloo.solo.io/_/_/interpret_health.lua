-- Gloo writes a status for each namespace that it runs in, older versions only one, with a number for the state. A
-- pending object waits until something refers to it, so it rests; the worst of several statuses counts.
local NAMES = { [0] = "Pending", [1] = "Accepted", [2] = "Rejected", [3] = "Warning" }
local STATES = { Accepted = "Healthy", Pending = "Suspended", Warning = "Degraded", Rejected = "Degraded" }
local RANK = { Healthy = 1, Progressing = 2, Suspended = 3, Degraded = 4 }

local function judge(status)
  local state = status.state or 0
  state = NAMES[state] or state
  local line = string.match(status.reason or "", "[^\r\n]+")
  return { status = STATES[state] or "Progressing", reason = tostring(state), message = line }
end

function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  local status, worst = obj.status or {}, nil
  if status.reportedBy or status.state then
    worst = judge(status)
  end
  for _, one in pairs(status.statuses or {}) do
    local found = judge(one)
    if not worst or RANK[found.status] > RANK[worst.status] then
      worst = found
    end
  end
  return worst or { status = "Progressing", reason = "NoStatus", message = "Gloo has not looked at it yet" }
end
