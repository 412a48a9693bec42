"""policy/v1 PodDisruptionBudget."""

from __future__ import annotations

from interpreter.api.results import Health
from interpreter.engines.native.health import conditions_of, stale
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.statuses import (
    Items,
    each_status,
    member_int,
    parse_time,
    settle,
    status_of,
)
from interpreter.errors import InvalidObject
from interpreter.machinery.gvk import GVK
from interpreter.machinery.timestamps import format_time
from interpreter.machinery.unstructured import (
    JsonObject,
    deep_copy,
    generation_of,
    read_int,
    read_map,
    read_str,
)

_COUNTS = ("currentHealthy", "desiredHealthy", "disruptionsAllowed", "expectedPods")
_STATUS = frozenset({*_COUNTS, "disruptedPods"})


def _check_counts(status: JsonObject) -> dict[str, int]:
    read_map(status, "disruptedPods", "status")
    return {field: read_int(status, field, "status") or 0 for field in _COUNTS}


def aggregate_status(obj: JsonObject, items: Items) -> JsonObject:
    """Sums the counts; disrupted pods are named ``cluster/pod``."""
    _check_counts(status_of(obj))
    sums = dict.fromkeys(_COUNTS, 0)
    disrupted: dict[str, str | None] = {}
    for item_path, item, status in each_status(items, _STATUS):
        if status is None:
            continue
        at = f"{item_path}.status"
        for field in _COUNTS:
            sums[field] += member_int(status, field, at)
        cluster = read_str(item, "clusterName", item_path)
        pods = read_map(status, "disruptedPods", at) or {}
        for pod, when in pods.items():
            if not isinstance(pod, str):
                raise InvalidObject("must have strings as keys", path=f"{at}.disruptedPods")
            moment = None
            if when is not None:
                moment = format_time(parse_time(when, f"{at}.disruptedPods.{pod}"))
            disrupted[f"{cluster}/{pod}"] = moment
    new: JsonObject = dict(sums)
    if disrupted:
        new["disruptedPods"] = disrupted
    return settle(obj, new, always=obj.get("status") is None and bool(items))


def reflect_status(obj: JsonObject) -> JsonObject | None:
    """The four counts, and the disrupted pods."""
    status = read_map(obj, "status")
    if status is None:
        return None
    collected: JsonObject = dict(_check_counts(status))
    if status.get("disruptedPods"):
        collected["disruptedPods"] = deep_copy(status["disruptedPods"])
    return collected


def interpret_health(obj: JsonObject) -> Health:
    """Healthy when as many pods are healthy as the budget wants."""
    status = status_of(obj)
    counts = _check_counts(status)
    current, desired = counts["currentHealthy"], counts["desiredHealthy"]
    healthy = current >= desired
    observed = read_int(status, "observedGeneration", "status", bits=64) or 0
    for condition in conditions_of(status):
        if condition.type == "DisruptionAllowed" and condition.reason == "SyncFailed":
            return Health("Degraded", condition.reason, condition.message, healthy)
    lagging = stale(observed, generation_of(obj), healthy)
    if lagging is not None:
        return lagging
    if not status:
        text = "the budget has not been computed yet"
        return Health("Progressing", "NoStatus", text, healthy)
    message = f"{current} pods are healthy, {desired} are wanted"
    if healthy:
        return Health("Healthy", "SufficientPods", message, healthy)
    return Health("Progressing", "InsufficientPods", message, healthy)


KIND = NativeKind(
    gvk=GVK("policy", "v1", "PodDisruptionBudget"),
    aggregate_status=aggregate_status,
    reflect_status=reflect_status,
    interpret_health=interpret_health,
)
