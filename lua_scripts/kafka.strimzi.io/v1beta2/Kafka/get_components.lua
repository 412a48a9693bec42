-- Brokers and controllers of node pools are counted by their KafkaNodePool objects, and KRaft has no ZooKeeper.
local kube = require("kube")

local function component(name, replicas, part, containers)
  local pod = (part.template or {}).pod or {}
  local list = {}
  for index, container in ipairs(containers) do
    list[index] = { name = "container-" .. index, resources = container.resources }
  end
  local spec = { containers = list, affinity = pod.affinity, tolerations = pod.tolerations }
  return { name = name, replicas = replicas, replicaRequirements = kube.accuratePodRequirements({ spec = spec }) }
end

function GetComponents(obj)
  local spec, annotations = obj.spec or {}, (obj.metadata or {}).annotations or {}
  local kafka, zookeeper, operators = spec.kafka or {}, spec.zookeeper or {}, spec.entityOperator
  local components = {}
  if kafka.replicas ~= nil and annotations["strimzi.io/node-pools"] ~= "enabled" then
    components[#components + 1] = component("kafka", kafka.replicas, kafka, { kafka })
  end
  if zookeeper.replicas ~= nil and annotations["strimzi.io/kraft"] ~= "enabled" then
    components[#components + 1] = component("zookeeper", zookeeper.replicas, zookeeper, { zookeeper })
  end
  if operators ~= nil and (operators.topicOperator or operators.userOperator) then
    local containers = {}
    for _, name in ipairs({ "topicOperator", "userOperator", "tlsSidecar" }) do
      containers[#containers + 1] = operators[name]
    end
    components[#components + 1] = component("entity-operator", 1, operators, containers)
  end
  if spec.cruiseControl ~= nil then
    components[#components + 1] = component("cruise-control", 1, spec.cruiseControl, { spec.cruiseControl })
  end
  if spec.kafkaExporter ~= nil then
    components[#components + 1] = component("kafka-exporter", 1, spec.kafkaExporter, { spec.kafkaExporter })
  end
  return components
end
