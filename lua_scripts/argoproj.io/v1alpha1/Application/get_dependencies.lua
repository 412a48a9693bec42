-- The project, without which Argo CD refuses the application. `default` comes with Argo CD.
function GetDependencies(obj)
  local project = (obj.spec or {}).project
  if project == nil or project == "" or project == "default" then
    return {}
  end
  local namespace = (obj.metadata or {}).namespace
  return { { apiVersion = "argoproj.io/v1alpha1", kind = "AppProject", namespace = namespace, name = project } }
end
