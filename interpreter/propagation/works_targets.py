"""Which clusters a binding is about, and how many of a Job's completions each of them gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from interpreter.machinery.apportionment import dispense
from interpreter.machinery.unstructured import (
    JsonObject,
    map_at,
    map_or_empty,
    objects_at,
    read_int,
    read_map,
    read_str,
)

#: The mode of an eviction that deletes first and never waits for the replacement.
DIRECTLY: Final = "Directly"


class Target(NamedTuple):
    """A cluster that gets a Work, with the number of replicas that was given to it."""

    cluster: str
    replicas: int = 0


def targets_of(binding: JsonObject) -> list[Target]:
    """Clusters of the schedule in their order, then those that only its requirers need.

    A cluster in several lists has the number of the first.
    """
    found: dict[str, Target] = {}
    for target in (*scheduled(binding), *required(binding)):
        found.setdefault(target.cluster, target)
    return list(found.values())


def scheduled(binding: JsonObject) -> list[Target]:
    """Clusters of the binding's own schedule."""
    return _targets(map_or_empty(binding, "spec"), "spec")


def required(binding: JsonObject) -> list[Target]:
    """Clusters of the bindings that need this one's object, from their snapshots."""
    found = []
    for index, snapshot in enumerate(
        objects_at(map_or_empty(binding, "spec"), "requiredBy", "spec")
    ):
        found.extend(_targets(snapshot or {}, f"spec.requiredBy[{index}]"))
    return found


def _targets(parent: JsonObject, at: str) -> list[Target]:
    return [
        Target(read_str(entry, "name", at), read_int(entry, "replicas", at) or 0)
        for entry in objects_at(parent, "clusters", at)
        if entry
    ]


def eviction_tasks(binding: JsonObject) -> list[JsonObject]:
    """The binding's graceful eviction tasks, never to be changed."""
    tasks = objects_at(map_or_empty(binding, "spec"), "gracefulEvictionTasks", "spec")
    return [task for task in tasks if task]


def evicting(binding: JsonObject, *, directly: bool) -> frozenset[str]:
    """Clusters that the object leaves ``Directly``, or in any other mode."""
    return frozenset(
        read_str(task, "fromCluster")
        for task in eviction_tasks(binding)
        if (read_str(task, "purgeMode") == DIRECTLY) is directly
    )


def kept_clusters(binding: JsonObject) -> frozenset[str]:
    """Clusters in which the object is to be: scheduled, required, or left in an orderly way."""
    names = {target.cluster for target in (*scheduled(binding), *required(binding))}
    return frozenset(names | evicting(binding, directly=False))


def is_workload(binding: JsonObject) -> bool:
    """Whether replicas mean something for the object: it has some, or needs, or components."""
    spec = map_or_empty(binding, "spec")
    return bool(
        (read_int(spec, "replicas", "spec") or 0) > 0
        or read_map(spec, "replicaRequirements", "spec") is not None
        or objects_at(spec, "components", "spec")
    )


def has_several_components(binding: JsonObject) -> bool:
    """Whether one number cannot say how large the object is."""
    return len(objects_at(map_or_empty(binding, "spec"), "components", "spec")) > 1


def divides_replicas(binding: JsonObject) -> bool:
    """Whether clusters share the replicas, instead of having all of them each."""
    scheduling = map_at(binding, "spec", "placement", "replicaScheduling")
    return read_str(scheduling, "replicaSchedulingType") == "Divided"


def divide_completions(completions: int, targets: Sequence[Target], *, uid: str) -> dict[str, int]:
    """A Job's completions by cluster, in proportion to replicas.

    Args:
        completions: All completions.
        targets: Clusters with their replicas: scheduled ones and those that requirers need.
        uid: The template's; decides between equals.

    Returns:
        Completions by cluster, sorted by name; empty when no cluster has a replica.
    """
    shares, _left = dispense(completions, targets, uid=uid)
    return dict(shares)
