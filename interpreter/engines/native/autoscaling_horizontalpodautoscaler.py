"""autoscaling/v2 HorizontalPodAutoscaler."""

from __future__ import annotations

from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.statuses import Items, each_status, member_int, settle, status_of
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject, read_int, strict_map

_COUNTS = ("currentReplicas", "desiredReplicas")
_STATUS = frozenset(_COUNTS)


def _status(counts: dict[str, int]) -> JsonObject:
    """The status of two counts; the API always writes the desired one."""
    status: JsonObject = {"desiredReplicas": counts["desiredReplicas"]}
    if counts["currentReplicas"]:
        status["currentReplicas"] = counts["currentReplicas"]
    return status


def _read_counts(status: JsonObject) -> dict[str, int]:
    return {field: read_int(status, field, "status") or 0 for field in _COUNTS}


def aggregate_status(obj: JsonObject, items: Items) -> JsonObject:
    """Sums of current and desired replicas."""
    _read_counts(status_of(obj))
    sums = dict.fromkeys(_COUNTS, 0)
    for at, _item, status in each_status(items, _STATUS):
        for field in _COUNTS if status is not None else ():
            sums[field] += member_int(status or {}, field, f"{at}.status")
    return settle(obj, _status(sums))


def reflect_status(obj: JsonObject) -> JsonObject | None:
    """Current and desired replicas."""
    if obj.get("status") is None:
        return None
    return _status(_read_counts(strict_map(obj, "status") or {}))


KIND = NativeKind(
    gvk=GVK("autoscaling", "v2", "HorizontalPodAutoscaler"),
    aggregate_status=aggregate_status,
    reflect_status=reflect_status,
)
