"""Leaving a cluster: eviction tasks of a binding, and when such a task is done.

A task keeps the object in the cluster that it leaves until the others have it running, or time is
up. It is written by whoever finds that the object must leave (failover, taints).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from interpreter.machinery.timestamps import format_time, parse_time
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    objects_at,
    read_int,
    read_str,
)
from interpreter.propagation.marking import is_deleting
from interpreter.propagation.works_targets import eviction_tasks, scheduled


@dataclass(frozen=True, slots=True)
class GracefulEviction:
    """What becomes of a binding's eviction tasks.

    Attributes:
        tasks: Those that stay.
        evicted: Clusters whose task is done: their Works are no longer wanted.
        recheck_after: Seconds after which to look again; 0 for no need.
    """

    tasks: tuple[JsonObject, ...]
    evicted: tuple[str, ...]
    recheck_after: int


def assess_tasks(binding: JsonObject, *, now: datetime, default_timeout: int) -> GracefulEviction:
    """Which eviction tasks are done.

    A task is done when it says so, when its grace period is over, or when the scheduler has seen
    the binding as it is and the object is healthy in every cluster that it goes to.

    Args:
        binding: The binding.
        now: The current time.
        default_timeout: Grace period in seconds of tasks that state none.

    Raises:
        InvalidObject: A field has the wrong type.
    """
    tasks = eviction_tasks(binding)
    if is_deleting(binding):
        return GracefulEviction(tuple(tasks), (), 0)
    replaced = _is_replaced(binding)
    kept, evicted, waits = [], [], []
    for index, task in enumerate(tasks):
        path = f"spec.gracefulEvictionTasks[{index}]"
        created = parse_time(task.get("creationTimestamp"), f"{path}.creationTimestamp")
        grace = read_int(task, "gracePeriodSeconds", path)
        left = (created or now) - now
        left += timedelta(seconds=default_timeout if grace is None else grace)
        suppress = task.get("suppressDeletion")
        # A task starts when it is first seen; until then nothing that it says counts.
        done = suppress is False or (suppress is None and (replaced or left < timedelta()))
        if created is not None and done:
            evicted.append(read_str(task, "fromCluster", path))
            continue
        kept.append({"creationTimestamp": format_time(now), **task} if created is None else task)
        if suppress is None:
            waits.append(left)
    wait = min(waits, default=timedelta())
    return GracefulEviction(tuple(kept), tuple(evicted), int(wait.total_seconds()))


def _is_replaced(binding: JsonObject) -> bool:
    """Whether the object runs in every cluster that the scheduler has chosen by now."""
    status = map_or_empty(binding, "status")
    seen = read_int(status, "schedulerObservedGeneration", "status", bits=64) or 0
    generation = read_int(map_or_empty(binding, "metadata"), "generation", "metadata", bits=64)
    if seen != (generation or 0):
        return False
    health = {
        read_str(item, "clusterName", "status.aggregatedStatus"): item.get("health")
        for item in objects_at(status, "aggregatedStatus", "status")
        if item
    }
    return all(health.get(target.cluster) == "Healthy" for target in scheduled(binding))


def evict(
    spec: JsonObject,
    cluster: str,
    *,
    purge_mode: str,
    producer: str,
    reason: str,
    details: Mapping[str, object],
) -> JsonObject:
    """A binding's ``spec`` after a cluster was left: without it, and with a task.

    A cluster that is not scheduled changes nothing; one that has a task gets no second one.

    Args:
        spec: The spec; it is not changed.
        cluster: The cluster to leave.
        purge_mode: ``Gracefully``, ``Directly`` or ``Never``; empty for none.
        producer: Who wants it.
        reason: Why, as a CamelCase word.
        details: More fields of the task.
    """
    clusters = objects_at(spec, "clusters", "spec")
    leaving = next((each for each in clusters if each and each.get("name") == cluster), None)
    if leaving is None:
        return spec
    changed = {**spec, "clusters": [each for each in clusters if each is not leaving]}
    tasks: Sequence[JsonObject] = objects_at(spec, "gracefulEvictionTasks", "spec")
    if not any(task and task.get("fromCluster") == cluster for task in tasks):
        task: JsonObject = {
            "fromCluster": cluster,
            "producer": producer,
            "reason": reason,
            **({"purgeMode": purge_mode} if purge_mode else {}),
            **details,
        }
        replicas = read_int(leaving, "replicas", "spec.clusters") or 0
        if replicas > 0:
            task["replicas"] = replicas
        changed["gracefulEvictionTasks"] = [*tasks, task]
    return changed
