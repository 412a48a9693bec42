"""apps/v1 StatefulSet."""

from __future__ import annotations

from interpreter.api.results import DependentObjectReference, Health
from interpreter.engines.native.counters import Counters, aggregate, reflect
from interpreter.engines.native.health import first_lagging, read_rollout, stale
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.statuses import status_of
from interpreter.engines.native.templates import (
    components_from,
    replicas_of,
    revise,
    template_dependencies,
)
from interpreter.errors import InvalidObject
from interpreter.machinery.conditions import one_line
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import (
    JsonObject,
    map_at,
    name_of,
    objects_at,
    read_int,
    read_str,
)

_COUNTERS = Counters(
    ("replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
    always=("replicas", "availableReplicas"),
    collects_observed_generation=False,
    observes_member_generation=True,
)


def interpret_health(obj: JsonObject) -> Health:
    """Follows the rolling update, up to its partition; with OnDelete only readiness counts."""
    rollout = read_rollout(obj)
    healthy = (
        rollout.observed == rollout.generation
        and (rollout.wanted is None or rollout.updated >= rollout.wanted)
        and rollout.available >= rollout.updated
    )
    wanted = rollout.wanted or 0
    strategy = map_at(obj, "spec", "updateStrategy")
    lagging = stale(rollout.observed, rollout.generation, healthy) or first_lagging(
        ((rollout.ready, wanted, "ReplicasNotReady", "replicas are ready"),), healthy
    )
    if lagging is not None:
        return lagging
    status = status_of(obj)
    if read_str(strategy, "type", "spec.updateStrategy") == "OnDelete":
        return Health("Healthy", "ReplicasReady", f"{rollout.ready} replicas are ready", healthy)
    goal = wanted - _partition(strategy)
    if rollout.updated < goal:
        return Health(
            "Progressing",
            "ReplicasUpdating",
            f"{rollout.updated} of {goal} replicas are updated",
            healthy,
        )
    update = one_line(read_str(status, "updateRevision", "status"))
    current = one_line(read_str(status, "currentRevision", "status"))
    # As `kubectl rollout status`: with rollingUpdate the counts above tell all.
    if not map_at(strategy, "rollingUpdate", at="spec.updateStrategy") and update != current:
        return Health(
            "Progressing",
            "RevisionPending",
            f"waiting for the rolling update to revision {update} to complete",
            healthy,
        )
    return Health("Healthy", "RolloutComplete", f"{rollout.ready} replicas are ready", healthy)


def _partition(strategy: JsonObject) -> int:
    path = "spec.updateStrategy"
    rolling = map_at(strategy, "rollingUpdate", at=path)
    return read_int(rolling, "partition", f"{path}.rollingUpdate") or 0


def get_dependencies(obj: JsonObject) -> list[DependentObjectReference]:
    """Those of the pod template without claims that the set makes itself."""
    own: set[str] = set()
    templates = objects_at(map_at(obj, "spec"), "volumeClaimTemplates", "spec")
    for index, template in enumerate(templates):
        try:
            own.add(name_of(template or {}))
        except InvalidObject as error:
            raise error.within(f"spec.volumeClaimTemplates[{index}]") from None
    return [
        reference
        for reference in template_dependencies(obj)
        if reference.kind != "PersistentVolumeClaim" or reference.name not in own
    ]


KIND = NativeKind(
    gvk=GVK("apps", "v1", "StatefulSet"),
    get_replicas=replicas_of,
    get_components=components_from(replicas_of),
    revise_replica=revise,
    aggregate_status=aggregate(_COUNTERS),
    reflect_status=reflect(_COUNTERS),
    interpret_health=interpret_health,
    get_dependencies=get_dependencies,
)
