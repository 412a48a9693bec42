"""Collecting the statuses of a binding's Works, and folding them into the template.

A cluster with which the binding has nothing to do any more leaves the aggregated status at once,
even while its Work is on its way out: it must not count for or against the object.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError, InvalidObject
from interpreter.machinery.derived_names import cluster_of_execution_space
from interpreter.machinery.gvk import GVK, gvk_of
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    namespace_of,
    objects_at,
    read_str,
    same,
)
from interpreter.propagation.marking import (
    ObjectKey,
    is_deleting,
    key_of,
    reference_key,
)
from interpreter.propagation.member_asking import MemberInterpreter
from interpreter.propagation.status_conditions import condition, conditions_in, find, put
from interpreter.propagation.work_reconcile import APPLIED
from interpreter.propagation.works_packing import belongs
from interpreter.propagation.works_targets import eviction_tasks, kept_clusters

FULLY_APPLIED: Final = "FullyApplied"
_SUCCESS = "All works have been successfully applied"
_FAILURE = "Failed to apply all works, see status.aggregatedStatus for details"


@dataclass(frozen=True, slots=True)
class BindingStatus:
    """What a binding's status becomes.

    Attributes:
        status: The whole status of the binding.
        errors: What went wrong while the template's status was folded.
        template: The template with its new status; None when nothing is to be written.
    """

    status: JsonObject
    template: JsonObject | None = None
    errors: tuple[InterpreterError, ...] = ()


def sync_status(
    binding: JsonObject,
    works: Iterable[JsonObject],
    *,
    template: JsonObject | None,
    now: datetime,
    interpreter: MemberInterpreter,
) -> BindingStatus:
    """The status of a binding and of its template, from the binding's Works.

    Args:
        binding: The binding; it is not changed.
        works: All Works that may be the binding's; others, and those being deleted, do not count.
        template: The template, None when it is gone.
        now: The time of a condition that changes.
        interpreter: Who knows the template's kind.

    Raises:
        InvalidObject: A Work of the binding is in no execution space, or does not hold the object.
    """
    items = aggregated_status(binding, works)
    status = dict(map_or_empty(binding, "status"))
    status.pop("aggregatedStatus", None)
    if items:
        status["aggregatedStatus"] = items
    applied = _fully_applied(binding, items)
    status["conditions"] = put(conditions_in(status), applied, now=now)
    if template is None:
        return BindingStatus(status)
    try:
        return BindingStatus(status, fold_into_template(template, items, interpreter))
    except InterpreterError as error:
        return BindingStatus(status, errors=(error,))


def aggregated_status(binding: JsonObject, works: Iterable[JsonObject]) -> list[JsonObject]:
    """One item for each Work of a binding, sorted by name of cluster.

    Raises:
        InvalidObject: A Work of the binding is in no execution space, or does not hold the object.
    """
    wanted = reference_key(map_or_empty(map_or_empty(binding, "spec"), "resource", "spec"))
    known = kept_clusters(binding) | {
        read_str(task, "fromCluster") for task in eviction_tasks(binding)
    }
    items = []
    for work in works:
        if belongs(work, binding) and not is_deleting(work):
            item = _item(work, wanted)
            if item["clusterName"] in known:
                items.append(item)
    return sorted(items, key=lambda item: str(item["clusterName"]))


def _item(work: JsonObject, wanted: ObjectKey) -> JsonObject:
    cluster = cluster_of_execution_space(namespace_of(work))
    ordinal, gvk = _manifest_of(work, wanted)
    status = map_or_empty(work, "status")
    applied = find(conditions_in(status), APPLIED)
    if applied is None:
        return {"clusterName": cluster, "health": "Unknown"}
    if applied.get("status") != "True":
        unknown = {"clusterName": cluster, "health": "Unknown"}
        message = read_str(applied, "message", "status.conditions")
        return {**unknown, "appliedMessage": message} if message else unknown
    item: JsonObject = {"clusterName": cluster, "applied": True}
    for entry in objects_at(status, "manifestStatuses", "status"):
        if entry and _identifies(map_or_empty(entry, "identifier"), ordinal, gvk, wanted):
            if entry.get("status") is not None:
                item["status"] = entry["status"]
            return {**item, "health": entry["health"]} if entry.get("health") else item
    return {**item, "health": "Unknown"}


def _manifest_of(work: JsonObject, wanted: ObjectKey) -> tuple[int, GVK]:
    """Place and kind of the object among the manifests of a Work."""
    workload = map_or_empty(map_or_empty(work, "spec"), "workload", "spec")
    for ordinal, manifest in enumerate(objects_at(workload, "manifests", "spec.workload")):
        if manifest and key_of(manifest) == wanted:
            return ordinal, gvk_of(manifest)
    raise InvalidObject(
        f"the work {namespace_of(work)} holds no {wanted.kind} {wanted.namespace}/{wanted.name}",
        path="spec.workload.manifests",
    )


def _identifies(identifier: JsonObject, ordinal: int, gvk: GVK, wanted: ObjectKey) -> bool:
    found = (
        identifier.get("ordinal") or 0,
        *(
            read_str(identifier, field, "identifier")
            for field in ("group", "version", "kind", "namespace", "name")
        ),
    )
    return found == (ordinal, *gvk, wanted.namespace, wanted.name)


def _fully_applied(binding: JsonObject, items: list[JsonObject]) -> JsonObject:
    """Whether the object is in every cluster in which it is to be, and in no other."""
    expected = kept_clusters(binding)
    holds = (
        bool(expected)
        and len(items) == len(expected)
        and all(item.get("applied") and item["clusterName"] in expected for item in items)
    )
    if holds:
        return condition(FULLY_APPLIED, holds=True, reason="FullyAppliedSuccess", message=_SUCCESS)
    return condition(FULLY_APPLIED, holds=False, reason="FullyAppliedFailed", message=_FAILURE)


def fold_into_template(
    template: JsonObject, items: list[JsonObject], interpreter: MemberInterpreter
) -> JsonObject | None:
    """The template with member statuses folded in; None when nothing changes or no rule is known.

    Args:
        template: The template; it is not changed.
        items: The aggregated status.
        interpreter: Who knows its kind.

    Raises:
        InterpreterError: The rule failed.
    """
    if not interpreter.hook_enabled(gvk_of(template), Operation.AGGREGATE_STATUS):
        return None
    folded = interpreter.aggregate_status(template, items)
    return None if same(folded.get("status"), template.get("status")) else folded
