-- One driver, and executors. Memory is what Spark asks for: the JVM's memory plus an overhead, which
-- is given, or a share of the memory (10 % on the JVM alone, 40 % with Python or R) of 384 MiB at least.
local mebibytes = { k = 1 / 1024, m = 1, g = 1024, t = 1024 * 1024, p = 1024 * 1024 * 1024 }

-- Texts such as 512m or 1.5g; a plain number counts mebibytes.
local function memory(text)
  local number, unit = string.match(string.lower(tostring(text)), "^([%d%.]+)([kmgtp]?)")
  if tonumber(number or "") == nil then
    return nil
  end
  return tonumber(number) * (mebibytes[unit] or 1)
end

local function requirements(role, factor)
  local heap = memory(role.memory or "1g") or 1024
  local overhead = memory(role.memoryOverhead) or math.max(heap * factor, 384)
  local request = { cpu = role.cores or 1, memory = string.format("%.6fMi", heap + overhead) }
  local gpu = role.gpu or {}
  if (gpu.name or "") ~= "" and (gpu.quantity or 0) > 0 then
    request[gpu.name] = gpu.quantity
  end

  local result, claim = { resourceRequest = request }, {}
  local affinity = (role.affinity or {}).nodeAffinity or {}
  local wanted = {
    nodeSelector = role.nodeSelector,
    tolerations = role.tolerations,
    hardNodeAffinity = affinity.requiredDuringSchedulingIgnoredDuringExecution,
  }
  for field, value in pairs(wanted) do
    if next(value) ~= nil then
      claim[field] = value
      result.nodeClaim = claim
    end
  end
  if role.priorityClassName ~= "" then
    result.priorityClassName = role.priorityClassName
  end
  return result
end

function GetComponents(obj)
  local spec = obj.spec or {}
  local factor = tonumber(spec.memoryOverheadFactor or "")
  if factor == nil then
    local jvm = spec.type == "Java" or spec.type == "Scala"
    factor = jvm and 0.1 or 0.4
  end
  local driver, executor = spec.driver or {}, spec.executor or {}
  local executors = executor.instances or 1
  local dynamic = spec.dynamicAllocation or {}
  if dynamic.enabled then
    executors = math.max(executors, dynamic.initialExecutors or 0, dynamic.minExecutors or 0)
  end
  return {
    { name = "driver", replicas = 1, replicaRequirements = requirements(driver, factor) },
    { name = "executor", replicas = executors, replicaRequirements = requirements(executor, factor) },
  }
end
