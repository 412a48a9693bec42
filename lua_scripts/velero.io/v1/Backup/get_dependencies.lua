-- Where the backup goes, and the policies that it follows. Without names the server of each cluster takes its
-- defaults.
function GetDependencies(obj)
  local spec, namespace = obj.spec or {}, (obj.metadata or {}).namespace
  local found = {}
  local function put(apiVersion, kind, name)
    if (name or "") ~= "" then
      found[#found + 1] = { apiVersion = apiVersion, kind = kind, namespace = namespace, name = name }
    end
  end
  put("velero.io/v1", "BackupStorageLocation", spec.storageLocation)
  for _, name in ipairs(spec.volumeSnapshotLocations or {}) do
    put("velero.io/v1", "VolumeSnapshotLocation", name)
  end
  local policy = spec.resourcePolicy or {}
  if string.lower(policy.kind or "") == "configmap" then
    put("v1", "ConfigMap", policy.name)
  end
  return found
end
