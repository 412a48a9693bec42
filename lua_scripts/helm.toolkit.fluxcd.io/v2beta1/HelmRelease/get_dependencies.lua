-- Values, keys that verify the chart, access to another cluster, and the account that installs. The chart's source is
-- an object of its own, with its own dependencies; every namespace has an account `default` of its own.
function GetDependencies(obj)
  local spec = obj.spec or {}
  local references = {}
  local function add(kind, name)
    if name ~= nil and name ~= "" then
      local namespace = (obj.metadata or {}).namespace
      references[#references + 1] = { apiVersion = "v1", kind = kind, namespace = namespace, name = name }
    end
  end
  local function addRef(kind, reference)
    add(kind, (reference or {}).name)
  end
  for _, values in ipairs(spec.valuesFrom or {}) do
    if values.kind == "Secret" or values.kind == "ConfigMap" then
      addRef(values.kind, values)
    end
  end
  local chart = (spec.chart or {}).spec or {}
  local kubeConfig = spec.kubeConfig or {}
  addRef("Secret", (chart.verify or {}).secretRef)
  addRef("Secret", kubeConfig.secretRef)
  addRef("ConfigMap", kubeConfig.configMapRef)
  if spec.serviceAccountName ~= "default" then
    add("ServiceAccount", spec.serviceAccountName)
  end
  return references
end
