-- Pods as their specs say, the claim of a pvc:// address, and the one secret that storage keys are kept in. A
-- runtime is left out: the name does not tell whether it is the namespace's or the cluster's.
local kube = require("kube")
local servers = {
  "model", "sklearn", "xgboost", "tensorflow", "pytorch", "triton",
  "onnx", "huggingface", "pmml", "lightgbm", "paddle", "art",
}

local function podSpec(part)
  local containers = part.containers or {}
  for _, name in ipairs(servers) do
    if type(part[name]) == "table" then
      containers[#containers + 1] = { name = "kserve-container", env = part[name].env, envFrom = part[name].envFrom }
    end
  end
  return {
    containers = containers,
    initContainers = part.initContainers,
    volumes = part.volumes,
    imagePullSecrets = part.imagePullSecrets,
    serviceAccountName = part.serviceAccountName,
  }
end

function GetDependencies(obj)
  local namespace, references = (obj.metadata or {}).namespace, {}
  local function add(kind, name)
    references[#references + 1] = { apiVersion = "v1", kind = kind, namespace = namespace, name = name }
  end
  for _, name in ipairs({ "predictor", "transformer", "explainer" }) do
    local part = (obj.spec or {})[name] or {}
    for _, reference in ipairs(kube.getPodDependencies({ spec = podSpec(part) }, namespace) or {}) do
      references[#references + 1] = reference
    end
    for _, server in ipairs(servers) do
      local model = type(part[server]) == "table" and part[server] or {}
      local claim = string.match(model.storageUri or "", "^pvc://([^/]+)")
      if claim ~= nil then
        add("PersistentVolumeClaim", claim)
      end
      if model.storage ~= nil then
        add("Secret", "storage-config")
      end
    end
  end
  return references
end
