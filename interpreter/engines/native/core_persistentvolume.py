"""v1 PersistentVolume."""

from __future__ import annotations

from interpreter.codec.copying import copy_object
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.retention import write
from interpreter.engines.native.statuses import Items, settle, status_of, worst_phase
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject, deep_copy, map_at, read_str

_PHASES = ("Failed", "Pending", "Available", "Bound", "Released")


def retain(desired: JsonObject, observed: JsonObject) -> JsonObject:
    """Keeps the claim that the member's volume is bound to, whenever the field is present."""
    retained = copy_object(desired)
    spec = map_at(observed, "spec")
    if "claimRef" in spec:
        write(retained, ("spec", "claimRef"), deep_copy(spec["claimRef"]))
    return retained


def aggregate_status(obj: JsonObject, items: Items) -> JsonObject:
    """The worst phase of all members; a member without status is Pending."""
    read_str(status_of(obj), "phase", "status")
    phase = worst_phase(items, _PHASES)
    return settle(obj, {"phase": phase} if phase else {})


KIND = NativeKind(
    gvk=GVK("", "v1", "PersistentVolume"), retain=retain, aggregate_status=aggregate_status
)
