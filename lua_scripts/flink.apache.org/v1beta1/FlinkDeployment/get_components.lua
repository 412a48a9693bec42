-- JobManagers and TaskManagers, each with its own size. Memory is read as a Kubernetes quantity, as
-- in GetReplicas, and given in bytes.
local kube = require("kube")

-- Texts such as 2g or 512 mb, which are no quantities, as Flink reads them.
local units = { b = 1, k = 1024, m = 1024 * 1024, g = 1024 * 1024 * 1024, t = 1024 * 1024 * 1024 * 1024 }

local function bytes(value)
  local text = tostring(value)
  local known, number = pcall(kube.getResourceQuantity, text)
  if known then
    return number
  end
  local digits, unit = string.match(string.lower(text), "^%s*(%d+)%s*([bkmgt])")
  return digits and tonumber(digits) * units[unit]
end

local function component(name, replicas, resource, spec)
  local pod = (spec.podTemplate or {}).spec or {}
  local requirements = kube.accuratePodRequirements({ spec = pod }) or {}
  requirements.resourceRequest = {
    cpu = resource.cpu,
    memory = resource.memory and bytes(resource.memory),
  }
  if pod.priorityClassName ~= "" then
    requirements.priorityClassName = pod.priorityClassName
  end
  return { name = name, replicas = replicas, replicaRequirements = requirements }
end

-- Flink starts as many TaskManagers as the job needs slots for.
local function taskManagers(spec)
  local replicas = (spec.taskManager or {}).replicas
  local slots = tonumber((spec.flinkConfiguration or {})["taskmanager.numberOfTaskSlots"] or 0) or 0
  local parallelism = (spec.job or {}).parallelism
  if replicas == nil and parallelism ~= nil and slots > 0 then
    replicas = math.ceil(parallelism / slots)
  end
  return replicas or 1
end

function GetComponents(obj)
  local spec = obj.spec or {}
  local job, task = spec.jobManager or {}, spec.taskManager or {}
  return {
    component("jobmanager", job.replicas or 1, job.resource or {}, spec),
    component("taskmanager", taskManagers(spec), task.resource or {}, spec),
  }
end
