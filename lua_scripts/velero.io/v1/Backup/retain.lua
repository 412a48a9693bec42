-- The server writes its defaults into the spec of the backup that it has taken up. What it filled in stays, so
-- that an update from the template does not take it away again.
local FILLED = {
  "ttl",
  "csiSnapshotTimeout",
  "itemOperationTimeout",
  "storageLocation",
  "defaultVolumesToFsBackup",
  "snapshotMoveData",
}
-- Lists that the server extends: by the default location of each provider, and by the namespaces labelled as
-- excluded.
local EXTENDED = { "volumeSnapshotLocations", "excludedNamespaces" }
local WAITING = { [""] = true, New = true, Queued = true, ReadyToStart = true }

function Retain(desired, observed)
  local own = observed.spec or {}
  if WAITING[(observed.status or {}).phase or ""] then
    return desired
  end
  local spec = desired.spec or {}
  for _, field in ipairs(FILLED) do
    if spec[field] == nil then
      spec[field] = own[field]
    end
  end
  for _, field in ipairs(EXTENDED) do
    if next(own[field] or {}) then
      spec[field] = own[field]
    end
  end
  desired.spec = spec
  return desired
end
