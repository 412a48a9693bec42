-- From this version on it is data for the notification controller, which reports no status.
function InterpretHealth(obj)
  if (obj.metadata or {}).deletionTimestamp then
    return { status = "Progressing", reason = "Terminating", message = "deletion was requested" }
  end
  if (obj.spec or {}).suspend == true then
    return { status = "Suspended", reason = "Suspended", message = "notifications are suspended" }
  end
  return { status = "Healthy", reason = "PlainData", message = "nothing to wait for: the kind reports no status" }
end
