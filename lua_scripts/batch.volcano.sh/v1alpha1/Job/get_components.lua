-- A task counts with the pods it cannot start without; one without a name is called by its place,
-- counted from 0 as Volcano does.
local kube = require("kube")

function GetComponents(obj)
  local components = {}
  for index, task in ipairs((obj.spec or {}).tasks or {}) do
    local name = task.name
    if name == nil or name == "" then
      name = "task-" .. (index - 1)
    end
    components[index] = {
      name = name,
      replicas = tonumber(task.minAvailable or 1) or 1,
      replicaRequirements = kube.accuratePodRequirements(task.template or {}),
    }
  end
  return components
end
