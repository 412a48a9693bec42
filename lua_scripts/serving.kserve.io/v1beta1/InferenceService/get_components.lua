-- Predictor, transformer and explainer scale on their own; their lower bound is what is always there, one by
-- default. A model server is a container whose resources stand beside the model.
local kube = require("kube")
local servers = {
  "model", "sklearn", "xgboost", "tensorflow", "pytorch", "triton",
  "onnx", "huggingface", "pmml", "lightgbm", "paddle", "art",
}

local function template(part)
  local containers = part.containers or {}
  for _, name in ipairs(servers) do
    if type(part[name]) == "table" then
      containers[#containers + 1] = { name = "kserve-container", resources = part[name].resources }
    end
  end
  return {
    spec = {
      containers = containers,
      initContainers = part.initContainers,
      nodeSelector = part.nodeSelector,
      affinity = part.affinity,
      tolerations = part.tolerations,
    },
  }
end

function GetComponents(obj)
  local components = {}
  for _, name in ipairs({ "predictor", "transformer", "explainer" }) do
    local part = (obj.spec or {})[name]
    if part ~= nil then
      components[#components + 1] = {
        name = name,
        replicas = part.minReplicas or 1,
        replicaRequirements = kube.accuratePodRequirements(template(part)),
      }
    end
  end
  return components
end
