-- What the pods need, the workload that a template is taken from, the services it switches, the ingresses it weighs and
-- the analyses it runs: the controller waits for all of them. Objects of service meshes are left out.
local kube = require("kube")

local function analysesOf(canary, blueGreen)
  local analyses = {}
  for _, step in ipairs(canary.steps or {}) do
    analyses[#analyses + 1] = step.analysis
  end
  analyses[#analyses + 1] = canary.analysis
  analyses[#analyses + 1] = blueGreen.prePromotionAnalysis
  analyses[#analyses + 1] = blueGreen.postPromotionAnalysis
  return analyses
end

function GetDependencies(obj)
  local spec, namespace = obj.spec or {}, (obj.metadata or {}).namespace
  local strategy = spec.strategy or {}
  local canary, blueGreen = strategy.canary or {}, strategy.blueGreen or {}
  local pingPong, routing = canary.pingPong or {}, canary.trafficRouting or {}
  local nginx, alb = routing.nginx or {}, routing.alb or {}
  local dependencies = spec.template and kube.getPodDependencies(spec.template, namespace) or {}
  local function add(apiVersion, kind, name, isClusterScoped)
    if name ~= nil and name ~= "" then
      local place = not isClusterScoped and namespace or nil
      dependencies[#dependencies + 1] = { apiVersion = apiVersion, kind = kind, namespace = place, name = name }
    end
  end

  local workload = spec.workloadRef or {}
  if workload.apiVersion ~= nil and workload.kind ~= nil then
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
  for _, analysis in ipairs(analysesOf(canary, blueGreen)) do
    for _, template in ipairs(analysis.templates or {}) do
      local kind = template.clusterScope and "ClusterAnalysisTemplate" or "AnalysisTemplate"
      add("argoproj.io/v1alpha1", kind, template.templateName, template.clusterScope)
    end
  end
  return dependencies
end
