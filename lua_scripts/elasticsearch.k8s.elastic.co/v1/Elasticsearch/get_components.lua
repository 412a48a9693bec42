-- A node set is a set of equal pods. The operator gives Elasticsearch 2Gi of memory where the template gives it
-- nothing.
local kube = require("kube")

local function template(set)
  local spec = (set.podTemplate or {}).spec or {}
  local containers, found = {}, false
  for index, container in ipairs(spec.containers or {}) do
    containers[index] = container
    if container.name == "elasticsearch" then
      found = true
      if next(container.resources or {}) == nil then
        container.resources = { requests = { memory = "2Gi" } }
      end
    end
  end
  if not found then
    containers[#containers + 1] = { name = "elasticsearch", resources = { requests = { memory = "2Gi" } } }
  end
  spec.containers = containers
  return { spec = spec }
end

function GetComponents(obj)
  local components = {}
  for index, set in ipairs((obj.spec or {}).nodeSets or {}) do
    components[index] = {
      name = set.name or "nodes-" .. index,
      replicas = set.count or 0,
      replicaRequirements = kube.accuratePodRequirements(template(set)),
    }
  end
  return components
end
