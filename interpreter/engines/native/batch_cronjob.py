"""batch/v1 CronJob."""

from __future__ import annotations

from interpreter.api.results import DependentObjectReference
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.statuses import (
    Items,
    each_status,
    folded_objects,
    member_time,
    settle,
    status_of,
)
from interpreter.engines.native.templates import dependencies_at
from interpreter.machinery.gvk import GVK
from interpreter.machinery.timestamps import format_time
from interpreter.machinery.unstructured import JsonObject, deep_copy, objects_at

_TIMES = ("lastScheduleTime", "lastSuccessfulTime")
_STATUS = frozenset({"active", *_TIMES})
_REFERENCE = frozenset(
    {"apiVersion", "kind", "namespace", "name", "uid", "resourceVersion", "fieldPath"}
)
_POD_SPEC = ("spec", "jobTemplate", "spec", "template", "spec")


def aggregate_status(obj: JsonObject, items: Items) -> JsonObject:
    """Joins the active jobs of all members in item order; takes the latest times."""
    old = status_of(obj)
    objects_at(old, "active", "status")
    active: list[JsonObject] = []
    latest: dict[str, str] = {}
    for item_path, _item, status in each_status(items, _STATUS):
        if status is None:
            continue
        at = f"{item_path}.status"
        active.extend(deep_copy(folded_objects(status, "active", at, _REFERENCE)))
        for field in _TIMES:
            moment = member_time(status, field, at)
            if moment is not None:
                latest[field] = max(latest.get(field, ""), format_time(moment))
    new = {key: deep_copy(value) for key, value in old.items() if key not in _STATUS}
    if active:
        new["active"] = active
    new.update(latest)
    return settle(obj, new)


def get_dependencies(obj: JsonObject) -> list[DependentObjectReference]:
    """Those of the pod template inside the job template."""
    return dependencies_at(obj, _POD_SPEC)


KIND = NativeKind(
    gvk=GVK("batch", "v1", "CronJob"),
    aggregate_status=aggregate_status,
    get_dependencies=get_dependencies,
)
