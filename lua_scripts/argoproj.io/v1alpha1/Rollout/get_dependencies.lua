-- The controller does not go on before all of them exist: what the pods need, the workload that a template is taken from,
-- the services it switches, the ingresses it weighs and the analyses it runs. Objects of service meshes are left out.
local kube = require("kube")

local function analysisTemplates(strategy)
  local canary, blueGreen = strategy.canary or {}, strategy.blueGreen or {}
  local analyses = {}
  for _, step in ipairs(canary.steps or {}) do
    analyses[#analyses + 1] = step.analysis
  end
  analyses[#analyses + 1] = canary.analysis
  analyses[#analyses + 1] = blueGreen.prePromotionAnalysis
  analyses[#analyses + 1] = blueGreen.postPromotionAnalysis
  local templates = {}
  for _, analysis in ipairs(analyses) do
    for _, template in ipairs(analysis.templates or {}) do
      templates[#templates + 1] = template
    end
  end
  return templates
end

function GetDependencies(obj)
  local spec = obj.spec or {}
  local namespace = (obj.metadata or {}).namespace
  local strategy = spec.strategy or {}
  local canary, blueGreen = strategy.canary or {}, strategy.blueGreen or {}
  local pingPong, routing = canary.pingPong or {}, canary.trafficRouting or {}
  local nginx, alb = routing.nginx or {}, routing.alb or {}
  local dependencies = {}
  if spec.template ~= nil then
    dependencies = kube.getPodDependencies(spec.template, namespace) or {}
  end

  local function add(apiVersion, kind, name, isClusterScoped)
    if name ~= nil and name ~= "" then
      dependencies[#dependencies + 1] =
        { apiVersion = apiVersion, kind = kind, namespace = not isClusterScoped and namespace or nil, name = name }
    end
  end
  local workload = spec.workloadRef
  if workload ~= nil and workload.apiVersion ~= nil and workload.kind ~= nil then
    add(workload.apiVersion, workload.kind, workload.name)
  end
  add("v1", "Service", canary.canaryService)
  add("v1", "Service", canary.stableService)
  add("v1", "Service", pingPong.pingService)
  add("v1", "Service", pingPong.pongService)
  add("v1", "Service", blueGreen.activeService)
  add("v1", "Service", blueGreen.previewService)
  add("v1", "Service", alb.rootService)
  add("networking.k8s.io/v1", "Ingress", alb.ingress)
  add("networking.k8s.io/v1", "Ingress", nginx.stableIngress)
  for _, ingress in ipairs(nginx.stableIngresses or {}) do
    add("networking.k8s.io/v1", "Ingress", ingress)
  end
  for _, template in ipairs(analysisTemplates(strategy)) do
    local kind = template.clusterScope and "ClusterAnalysisTemplate" or "AnalysisTemplate"
    add("argoproj.io/v1alpha1", kind, template.templateName, template.clusterScope)
  end
  return dependencies
end
