"""v1 PersistentVolumeClaim."""

from __future__ import annotations

from interpreter.api.results import Health
from interpreter.codec.copying import copy_object
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.retention import read_strict, write
from interpreter.engines.native.statuses import Items, phases_of, settle, status_of
from interpreter.machinery.conditions import one_line
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject, metadata_of, read_str, strict_str

_SELECTED_NODE = "volume.kubernetes.io/selected-node"


def retain(desired: JsonObject, observed: JsonObject) -> JsonObject:
    """Keeps the volume that the member bound the claim to."""
    retained = copy_object(desired)
    volume = read_strict(observed, ("spec", "volumeName"), strict_str)
    if volume:
        write(retained, ("spec", "volumeName"), volume)
    return retained


def aggregate_status(obj: JsonObject, items: Items) -> JsonObject:
    """Lost wins; else the last phase that is not Bound, an empty one included; else Bound."""
    read_str(status_of(obj), "phase", "status")
    phases = [phase for phase in phases_of(items) if phase is not None]
    if "Lost" in phases:
        phase = "Lost"
    else:
        phase = next((found for found in reversed(phases) if found != "Bound"), "Bound")
    return settle(obj, {"phase": phase} if phase else {})


def interpret_health(obj: JsonObject) -> Health:
    """Bound is healthy; a claim that lost its volume is Degraded."""
    phase = read_str(status_of(obj), "phase", "status")
    if phase == "Bound":
        return Health("Healthy", "Bound", "the claim is bound to a volume", True)
    if phase == "Lost":
        return Health("Degraded", "Lost", "the claim has lost its volume", False)
    if phase in ("", "Pending"):
        return Health("Progressing", phase or "Pending", "waiting for a volume", False)
    return Health("Unknown", one_line(phase), "the claim's phase is not known", False)


def prune_rule(obj: JsonObject, _remove_job_ttl: bool) -> None:
    """Drops the node that a scheduler selected for the claim."""
    annotations = metadata_of(obj).get("annotations")
    if isinstance(annotations, dict) and annotations.get(_SELECTED_NODE):
        annotations.pop(_SELECTED_NODE)


KIND = NativeKind(
    gvk=GVK("", "v1", "PersistentVolumeClaim"),
    retain=retain,
    aggregate_status=aggregate_status,
    interpret_health=interpret_health,
    prune_rule=prune_rule,
)
