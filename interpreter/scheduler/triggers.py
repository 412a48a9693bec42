"""Whether a binding has to be scheduled at all."""

from __future__ import annotations

import enum
from typing import Any

from interpreter.codec.json import dumps, loads
from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import (
    JsonObject,
    JsonValue,
    list_or_empty,
    map_at,
    map_or_empty,
    objects_at,
    read_count,
    read_str,
    same,
)
from interpreter.scheduler.fleet import Fleet
from interpreter.scheduler.requests import reschedule_due

#: Annotation of a binding: the placement that its schedule is for, as JSON.
APPLIED_PLACEMENT = "policy.karmada.io/applied-placement"
#: Parts of a placement that matter whatever affinity term is in force.
_ALWAYS = ("clusterAffinity", "clusterTolerations", "spreadConstraints", "replicaScheduling")
_ZERO_IS_NOTHING = ("minGroups", "maxGroups")


class Trigger(enum.StrEnum):
    """Why a binding is scheduled, or is not."""

    SKIPPED_DELETING = "SkippedDeleting"
    NO_PLACEMENT = "NoPlacement"
    PLACEMENT_CHANGED = "PlacementChanged"
    REPLICAS_CHANGED = "ReplicasChanged"
    RESCHEDULE_TRIGGERED = "RescheduleTriggered"
    NON_WORKLOAD = "NonWorkload"
    DUPLICATED = "Duplicated"
    TARGET_CLUSTER_TERMINATING = "TargetClusterTerminating"
    NONE = "None"

    @property
    def schedules(self) -> bool:
        """Whether it leads to a pass."""
        return self not in (Trigger.SKIPPED_DELETING, Trigger.NO_PLACEMENT, Trigger.NONE)


def trigger_of(binding: JsonObject, fleet: Fleet, *, multiple_templates: bool = False) -> Trigger:
    """Why a binding is to be scheduled now: the first reason that applies.

    Objects that are no workloads, and duplicated ones, are scheduled every time, because a new
    cluster may fit.

    Args:
        binding: A ResourceBinding or a ClusterResourceBinding.
        fleet: The clusters.
        multiple_templates: The gate ``MultiplePodTemplatesScheduling``.

    Raises:
        InvalidObject: A field has the wrong type.
    """
    spec, status = map_or_empty(binding, "spec"), map_or_empty(binding, "status")
    placement = spec.get("placement")
    if map_or_empty(binding, "metadata").get("deletionTimestamp"):
        return Trigger.SKIPPED_DELETING
    if placement is None:
        return Trigger.NO_PLACEMENT
    placement = map_or_empty(spec, "placement", "spec")
    if _placement_changed(binding, placement):
        return Trigger.PLACEMENT_CHANGED
    if _replicas_changed(spec, placement, multiple_templates=multiple_templates):
        return Trigger.REPLICAS_CHANGED
    if reschedule_due(spec, status):
        return Trigger.RESCHEDULE_TRIGGERED
    replicas = read_count(spec, "replicas", "spec") or 0
    if not replicas and not spec.get("replicaRequirements") and not spec.get("components"):
        return Trigger.NON_WORKLOAD
    if _division(placement) == "Duplicated":
        return Trigger.DUPLICATED
    if any(_is_terminating(fleet, read_str(entry, "name")) for entry in _clusters(spec)):
        return Trigger.TARGET_CLUSTER_TERMINATING
    return Trigger.NONE


def _clusters(spec: JsonObject) -> list[JsonObject]:
    return [entry or {} for entry in objects_at(spec, "clusters", "spec")]


def _division(placement: JsonObject) -> str:
    scheduling = placement.get("replicaScheduling")
    if scheduling is None:
        return "Duplicated"
    return read_str(map_or_empty(placement, "replicaScheduling"), "replicaSchedulingType")


def _is_terminating(fleet: Fleet, name: str) -> bool:
    cluster = fleet.get(name)
    return cluster is not None and bool(map_at(cluster, "metadata").get("deletionTimestamp"))


def _replicas_changed(spec: JsonObject, placement: JsonObject, *, multiple_templates: bool) -> bool:
    clusters = _clusters(spec)
    if multiple_templates and spec.get("components") and not clusters:
        return True
    if placement.get("replicaScheduling") is None:
        return False
    replicas = read_count(spec, "replicas", "spec") or 0
    counts = [read_count(entry, "replicas") or 0 for entry in clusters]
    if _division(placement) == "Duplicated":
        return any(count != replicas for count in counts)
    return sum(counts) != replicas


def _placement_changed(binding: JsonObject, placement: JsonObject) -> bool:
    """Whether the placement differs, where it counts, from that of the last schedule."""
    text = applied_placement(binding)
    if not text:
        return True
    try:
        written = loads(text)
    except InvalidObject:
        written = text
    if written is not None and not isinstance(written, dict):
        # Somebody broke the annotation; that is no reason to move workloads.
        return False
    before, now = normal(written or {}), normal(placement)
    if same(before, now):
        return False
    if any(not same(before.get(part), now.get(part)) for part in _ALWAYS):
        return True
    observed = read_str(map_or_empty(binding, "status"), "schedulerObservingAffinityName", "status")
    old, new = _term(before, observed), _term(now, observed)
    return not observed or old is None or new is None or not same(old, new)


def _term(placement: JsonObject, name: str) -> JsonObject | None:
    terms = list_or_empty(placement, "clusterAffinities", "spec.placement")
    return next((term for term in terms if term.get("affinityName") == name), None)


def applied_placement(binding: JsonObject) -> str:
    """The placement of the last schedule, as text; empty for none."""
    annotations = map_at(binding, "metadata", "annotations")
    return read_str(annotations, APPLIED_PLACEMENT, "metadata.annotations")


def new_applied_placement(binding: JsonObject) -> str | None:
    """The annotation to write after a schedule; None when the present one says the same."""
    now = normal(map_at(binding, "spec", "placement"))
    try:
        if same(normal(loads(applied_placement(binding))), now):
            return None
    except InvalidObject:
        pass
    return dumps(now)


def normal(value: JsonValue) -> JsonValue:
    """A placement without fields that say nothing: nulls, empty texts and lists, no groups.

    Written out and read back it is the same, which is why it is what comparisons look at. An empty
    object says something (``clusterAffinity: {}`` is every cluster) and stays.
    """
    if isinstance(value, list):
        return [normal(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: item if key == "matchLabels" else normal(item)
        for key, item in value.items()
        if not _says_nothing(key, item)
    }


def _says_nothing(key: str, value: Any) -> bool:
    if value is None or value == "" or value == []:
        return True
    if key == "matchLabels":
        return not value
    return key in _ZERO_IS_NOTHING and value == 0
