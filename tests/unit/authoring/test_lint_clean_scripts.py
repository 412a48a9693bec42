"""Scripts as people write them give no finding: a false alarm costs more than a miss."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.lint.checking import check

ROLLOUT_HEALTH = """\
-- Argo Rollout: healthy when the new replica set is fully rolled out.
local function isPaused(obj)
  if obj.spec.paused then
    return true
  end
  local conditions = obj.status.pauseConditions
  return conditions ~= nil and #conditions > 0
end

local function findCondition(status, kind)
  for _, condition in ipairs(status.conditions or {}) do
    if condition.type == kind then
      return condition
    end
  end
  return nil
end

function InterpretHealth(obj)
  local status = obj.status
  if status == nil or status.observedGeneration == nil then
    return false
  end
  if tonumber(status.observedGeneration) ~= obj.metadata.generation then
    return false
  end
  local invalid = findCondition(status, "InvalidSpec")
  if invalid ~= nil and invalid.status == "True" then
    return false
  end
  if status.abort or isPaused(obj) then
    return false
  end
  local wanted = obj.spec.replicas or 1
  if (status.updatedReplicas or 0) < wanted then
    return false
  elseif (status.availableReplicas or 0) < status.updatedReplicas then
    return false
  end
  return status.phase == nil or status.phase == "Healthy"
end
"""

HELM_RELEASE_HEALTH = """\
function InterpretHealth(observedObj)
  if observedObj.status ~= nil and observedObj.status.conditions ~= nil then
    for conditionIndex = 1, #observedObj.status.conditions do
      local condition = observedObj.status.conditions[conditionIndex]
      if condition.type == 'Ready' and condition.status == 'True'
        and condition.reason == 'ReconciliationSucceeded' then
        return true
      end
    end
  end
  return false
end
"""

HELM_RELEASE_AGGREGATION = """\
function AggregateStatus(desiredObj, statusItems)
  if desiredObj.status == nil then
    desiredObj.status = {}
  end
  if desiredObj.metadata.generation == nil then
    desiredObj.metadata.generation = 0
  end
  if statusItems == nil then
    desiredObj.status.observedGeneration = desiredObj.metadata.generation
    return desiredObj
  end
  local conditions = {}
  local conditionsIndex = 1
  local failures = desiredObj.status.failures
  local lastAppliedRevision = desiredObj.status.lastAppliedRevision
  local observedCount = 0
  for i = 1, #statusItems do
    local currentStatus = statusItems[i].status
    if currentStatus ~= nil then
      if currentStatus.lastAppliedRevision ~= nil and currentStatus.lastAppliedRevision ~= '' then
        lastAppliedRevision = currentStatus.lastAppliedRevision
      end
      if failures ~= nil then
        failures = failures + (currentStatus.failures or 0)
      end
      if currentStatus.conditions ~= nil then
        for conditionIndex = 1, #currentStatus.conditions do
          local isExist = false
          for index = 1, #conditions do
            if conditions[index].type == currentStatus.conditions[conditionIndex].type
              and conditions[index].status == currentStatus.conditions[conditionIndex].status then
              conditions[index].message = conditions[index].message .. ', '
                .. statusItems[i].clusterName .. '='
                .. currentStatus.conditions[conditionIndex].message
              isExist = true
              break
            end
          end
          if not isExist then
            conditions[conditionsIndex] = currentStatus.conditions[conditionIndex]
            conditionsIndex = conditionsIndex + 1
          end
        end
      end
      if currentStatus.generation == currentStatus.observedGeneration then
        observedCount = observedCount + 1
      end
    end
  end
  if observedCount == #statusItems then
    desiredObj.status.observedGeneration = desiredObj.metadata.generation
  end
  desiredObj.status.failures = failures
  desiredObj.status.lastAppliedRevision = lastAppliedRevision
  desiredObj.status.conditions = conditions
  return desiredObj
end
"""

CRON_TAB_REPLICAS = """\
local kube = require("kube")

function GetReplicas(obj)
  if obj.spec == nil then
    return 0
  end
  local replica = obj.spec.replicas or 0
  local requirement = kube.accuratePodRequirements(obj.spec.template)
  return replica, requirement
end
"""

CRON_TAB_REVISION = """\
function ReviseReplica(desiredObj, desiredReplica)
  desiredObj.spec.replicas = desiredReplica
  return desiredObj
end
"""

CRON_TAB_RETENTION = """\
-- The member cluster decides whether it is paused, and keeps its own annotations.
function Retain(desiredObj, observedObj)
  desiredObj.spec.paused = observedObj.spec.paused
  local kept = { ["example.com/owner"] = true, ["example.com/zone"] = true }
  for key, value in pairs(observedObj.metadata.annotations or {}) do
    if kept[key] then
      desiredObj.metadata.annotations = desiredObj.metadata.annotations or {}
      desiredObj.metadata.annotations[key] = value
    end
  end
  return desiredObj
end
"""

CLONE_SET_STATUS = """\
function ReflectStatus(observedObj)
  local status = {}
  if observedObj == nil or observedObj.status == nil then
    return status
  end
  status.replicas = observedObj.status.replicas
  status.updatedReplicas = observedObj.status.updatedReplicas
  status.labelSelector = observedObj.status.labelSelector
  if observedObj.metadata == nil then
    return status
  end
  status.generation = observedObj.metadata.generation
  if observedObj.metadata.annotations == nil then
    return status
  end
  local resourceTemplateGeneration =
    tonumber(observedObj.metadata.annotations["resourcetemplate.karmada.io/generation"])
  if resourceTemplateGeneration ~= nil then
    status.resourceTemplateGeneration = resourceTemplateGeneration
  end
  return status
end
"""

TRAINING_JOB_AGGREGATION = """\
-- Sums counters by replica type and merges times.
local function earlier(a, b)
  if a == nil then
    return b
  elseif b == nil then
    return a
  end
  return a < b and a or b
end

local function isEmpty(t)
  return next(t) == nil
end

local function omitEmpty(t)
  if type(t) ~= "table" then
    return t
  end
  local result = {}
  for k, v in pairs(t) do
    local kept = omitEmpty(v)
    if kept ~= nil and kept ~= 0 and kept ~= "" then
      if type(kept) ~= "table" or not isEmpty(kept) then
        result[k] = kept
      end
    end
  end
  return result
end

function AggregateStatus(desiredObj, statusItems)
  if desiredObj.status == nil then
    desiredObj.status = {}
  end
  desiredObj.status.replicaStatuses = {}
  local status = desiredObj.status
  local order = {}
  local count = 0
  for _, item in ipairs(statusItems or {}) do
    if item.status == nil then
      goto continue
    end
    count = count + 1
    status.startTime = earlier(status.startTime, item.status.startTime)
    for name, replica in pairs(item.status.replicaStatuses or {}) do
      local sum = status.replicaStatuses[name]
      if sum == nil then
        sum = { active = 0, succeeded = 0, failed = 0 }
        status.replicaStatuses[name] = sum
        order[#order + 1] = name
      end
      for _, counter in ipairs({ "active", "succeeded", "failed" }) do
        sum[counter] = sum[counter] + (replica[counter] or 0)
      end
    end
    ::continue::
  end
  table.sort(order, function(a, b) return a < b end)
  status.message = string.format("%d of %d clusters: %s", count, #(statusItems or {}),
    table.concat(order, ", "))
  desiredObj.status = omitEmpty(status)
  return desiredObj
end
"""

WORKFLOW_DEPENDENCIES = """\
local kube = require("kube")

function GetDependencies(desiredObj)
  local dependencies, seen = {}, {}
  local namespace = desiredObj.metadata.namespace

  local function add(kind, name)
    local key = kind .. "/" .. tostring(name)
    if name == nil or name == "" or seen[key] then
      return
    end
    seen[key] = true
    dependencies[#dependencies + 1] = {
      apiVersion = "v1",
      kind = kind,
      namespace = namespace,
      name = name,
    }
  end

  local spec = desiredObj.spec
  if spec.serviceAccountName ~= "default" then
    add("ServiceAccount", spec.serviceAccountName)
  end
  for _, volume in ipairs(spec.volumes or {}) do
    if volume.configMap then
      add("ConfigMap", volume.configMap.name)
    elseif volume.secret then
      add("Secret", volume.secret.secretName)
    elseif volume.persistentVolumeClaim then
      add("PersistentVolumeClaim", volume.persistentVolumeClaim.claimName)
    end
  end
  for _, template in ipairs(spec.templates or {}) do
    local pod = { spec = { containers = { template.container } } }
    local found = kube.getPodDependencies(pod, namespace)
    for _, dependency in ipairs(found or {}) do
      add(dependency.kind, dependency.name)
    end
  end
  return dependencies
end
"""

RAY_CLUSTER_COMPONENTS = """\
local kube = require("kube")

function GetComponents(obj)
  local components = {
    {
      name = "ray-head",
      replicas = 1,
      replicaRequirements = kube.accuratePodRequirements(obj.spec.headGroupSpec.template),
    },
  }
  local groups = obj.spec.workerGroupSpecs
  if groups ~= nil and #groups > 0 then
    for i, group in ipairs(groups) do
      local name = group.groupName
      if not name or name == "" then
        name = "worker-" .. i
      end
      table.insert(components, {
        name = name,
        replicas = tonumber(group.replicas) or group.minReplicas or 0,
        replicaRequirements = kube.accuratePodRequirements(group.template),
      })
    end
  end
  return components
end
"""

FLINK_REPLICAS = """\
local kube = require("kube")

local function isempty(s) return s == nil or s == '' end

function GetReplicas(observedObj)
  local requires = { resourceRequest = {}, nodeClaim = {} }
  local jmReplicas = observedObj.spec.jobManager.replicas
  if isempty(jmReplicas) then
    jmReplicas = 1
  end
  local tm = observedObj.spec.taskManager
  local tmReplicas = tm.replicas
  if isempty(tmReplicas) then
    local parallelism = observedObj.spec.job and observedObj.spec.job.parallelism
    local slots = (observedObj.spec.flinkConfiguration or {})['taskmanager.numberOfTaskSlots']
    if isempty(parallelism) or isempty(slots) then
      tmReplicas = 1
    else
      tmReplicas = math.ceil(parallelism / slots)
    end
  end
  local cpu = math.max(tm.resource.cpu, observedObj.spec.jobManager.resource.cpu)
  local tmMemory = kube.getResourceQuantity(tm.resource.memory)
  local jmMemory = kube.getResourceQuantity(observedObj.spec.jobManager.resource.memory)
  requires.resourceRequest.cpu = cpu
  if tmMemory >= jmMemory then
    requires.resourceRequest.memory = tm.resource.memory
  else
    requires.resourceRequest.memory = observedObj.spec.jobManager.resource.memory
  end
  if observedObj.spec.podTemplate ~= nil and observedObj.spec.podTemplate.spec ~= nil then
    requires.nodeClaim.nodeSelector = observedObj.spec.podTemplate.spec.nodeSelector
    requires.nodeClaim.tolerations = observedObj.spec.podTemplate.spec.tolerations
  end
  return jmReplicas + tmReplicas, requires
end
"""

CERTIFICATE_HEALTH = """\
local HEALTHY = { Ready = "True" }

function InterpretHealth(obj)
  if not obj.status or type(obj.status.conditions) ~= "table" then
    return { status = "Progressing", message = "Waiting for the issuer" }
  end
  local worst
  for _, condition in ipairs(obj.status.conditions) do
    local wanted = HEALTHY[condition.type]
    if wanted and condition.status ~= wanted then
      worst = condition
    end
  end
  if worst then
    return { status = "Degraded", reason = worst.reason, message = worst.message }
  end
  return { status = "Healthy" }
end
"""

DATABASE_STATUS = """\
-- Parses "host:port" pairs, tolerates anything.
local function split(text, separator)
  local result = {}
  for piece in string.gmatch(text, "([^" .. separator .. "]+)") do
    result[#result + 1] = piece
  end
  return result
end

function ReflectStatus(obj)
  local status = obj.status
  if status == nil then return end
  local endpoints = {}
  for _, pair in ipairs(split(status.endpoints or "", ",")) do
    local host, port = pair:match("^%s*(.-):(%d+)%s*$")
    if host then
      table.insert(endpoints, { host = host:lower(), port = tonumber(port) })
    end
  end
  local ok, age = pcall(function()
    return os.time() - tonumber(status.startedAt)
  end)
  local function count(...)
    return select("#", ...)
  end
  return {
    endpoints = endpoints,
    ageSeconds = ok and age or nil,
    size = count(unpack(endpoints)),
    leader = status.members and status.members[1] and status.members[1].name,
    isReady = status.phase == "Running" and #endpoints > 0,
    version = ("%s-%s"):format(status.version or "0", status.build or "none"),
  }
end
"""

KNATIVE_RETENTION = """\
-- Everything that the serving controller writes stays.
local PREFIX = "serving.knative.dev/"

local function keep(from, to)
  for key, value in pairs(from) do
    if key:sub(1, #PREFIX) == PREFIX and to[key] == nil then
      to[key] = value
    end
  end
end

function Retain(desired, observed)
  desired.metadata.annotations = desired.metadata.annotations or {}
  keep(observed.metadata.annotations or {}, desired.metadata.annotations)
  local i = 1
  while observed.spec.traffic and observed.spec.traffic[i] do
    local target = observed.spec.traffic[i]
    if target.tag and not (desired.spec.traffic or {})[i] then
      desired.spec.traffic = desired.spec.traffic or {}
      desired.spec.traffic[i] = target
    end
    i = i + 1
  end
  repeat
    local last = desired.spec.traffic and desired.spec.traffic[#desired.spec.traffic]
    if last and last.percent == 0 then
      table.remove(desired.spec.traffic)
    end
  until not last or last.percent ~= 0
  return desired
end
"""

QUEUE_AGGREGATION = """\
local kube = require("kube")
local format = string.format

function AggregateStatus(desired, items)
  local total = { cpu = nil, memory = nil }
  local worst, rank = nil, { Running = 1, Pending = 2, Failed = 3 }
  for _, item in ipairs(items or {}) do
    local status = item.status or {}
    for _, name in ipairs({ "cpu", "memory" }) do
      total[name] = kube.resourceAdd(total[name], (status.used or {})[name])
    end
    if status.phase and (not worst or (rank[status.phase] or 0) > rank[worst]) then
      worst = status.phase
    end
  end
  desired.status = desired.status or {}
  desired.status.used = total
  desired.status.phase = worst
  desired.status.summary = format("%s cpu, %s memory", total.cpu or "0", total.memory or "0")
  return desired
end
"""

SCRIPTS = {
    "argo_rollout/interpret_health": ROLLOUT_HEALTH,
    "flux_helmrelease/interpret_health": HELM_RELEASE_HEALTH,
    "flux_helmrelease/aggregate_status": HELM_RELEASE_AGGREGATION,
    "crontab/get_replicas": CRON_TAB_REPLICAS,
    "crontab/revise_replica": CRON_TAB_REVISION,
    "crontab/retain": CRON_TAB_RETENTION,
    "cloneset/reflect_status": CLONE_SET_STATUS,
    "trainingjob/aggregate_status": TRAINING_JOB_AGGREGATION,
    "workflow/get_dependencies": WORKFLOW_DEPENDENCIES,
    "raycluster/get_components": RAY_CLUSTER_COMPONENTS,
    "flink/get_replicas": FLINK_REPLICAS,
    "certificate/interpret_health": CERTIFICATE_HEALTH,
    "database/reflect_status": DATABASE_STATUS,
    "knative/retain": KNATIVE_RETENTION,
    "queue/aggregate_status": QUEUE_AGGREGATION,
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_clean_script_from_real_life_gives_no_finding(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "example.com" / "v1" / "Widget"
    folder.mkdir(parents=True)
    (folder / f"{name.rpartition('/')[2]}.lua").write_text(SCRIPTS[name])
    report = check([str(tmp_path)])
    assert [str(finding.to_dict()) for finding in report.findings] == []
    assert report.scripts == 1
