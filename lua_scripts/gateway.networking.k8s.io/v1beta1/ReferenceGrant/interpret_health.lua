-- Nobody reports on it: what the API server accepted is what there is.
function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  return { status = "Healthy", reason = "PlainData", message = "nothing to wait for: the kind reports no status" }
end
