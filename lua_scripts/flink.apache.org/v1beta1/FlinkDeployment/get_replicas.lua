-- JobManagers plus TaskManagers, all taken as pods of one size: the larger CPU and memory.
-- Memory is read as a Kubernetes quantity, as Karmada does, although Flink means mebibytes by 2048m:
-- another number would place the same deployment elsewhere.
local kube = require("kube")

-- Texts such as 2g or 512 mb, which are no quantities, as Flink reads them.
local function quantity(value)
  if value == nil then
    return nil
  end
  local text = tostring(value)
  if pcall(kube.getResourceQuantity, text) then
    return value
  end
  local number, unit = string.match(string.lower(text), "^%s*(%d+)%s*([bkmgt])")
  if unit == nil or unit == "b" then
    return number
  end
  return number .. string.upper(unit) .. "i"
end

local function larger(job, task)
  if job == nil or task == nil then
    return task or job
  end
  if kube.getResourceQuantity(tostring(job)) > kube.getResourceQuantity(tostring(task)) then
    return job
  end
  return task
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

function GetReplicas(obj)
  local spec = obj.spec or {}
  local job, task = spec.jobManager or {}, spec.taskManager or {}
  local jobs, tasks = job.resource or {}, task.resource or {}
  local pod = (spec.podTemplate or {}).spec or {}
  local requirements = kube.accuratePodRequirements({ spec = pod }) or {}
  requirements.resourceRequest = {
    cpu = larger(jobs.cpu, tasks.cpu),
    memory = larger(quantity(jobs.memory), quantity(tasks.memory)),
  }
  requirements.namespace = (obj.metadata or {}).namespace
  if pod.priorityClassName ~= "" then
    requirements.priorityClassName = pod.priorityClassName
  end
  return (job.replicas or 1) + taskManagers(spec), requirements
end
