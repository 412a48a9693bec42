"""apps/v1 ReplicaSet."""

from __future__ import annotations

from interpreter.api.results import Health
from interpreter.engines.native.counters import Counters, aggregate, reflect
from interpreter.engines.native.health import (
    conditions_of,
    first_lagging,
    read_rollout,
    stale,
    true_condition,
)
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.statuses import status_of
from interpreter.engines.native.templates import (
    components_from,
    replicas_of,
    revise,
    template_dependencies,
)
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject

_COUNTERS = Counters(
    ("replicas", "readyReplicas", "availableReplicas"),
    always=("replicas",),
)


def interpret_health(obj: JsonObject) -> Health:
    """Healthy when the wanted replicas are available."""
    rollout = read_rollout(obj)
    wanted = rollout.wanted or 0
    healthy = rollout.observed == rollout.generation and rollout.available >= wanted
    failure = true_condition(conditions_of(status_of(obj)), "ReplicaFailure")
    if failure is not None:
        return Health("Degraded", failure.reason or failure.type, failure.message, healthy)
    return (
        stale(rollout.observed, rollout.generation, healthy)
        or first_lagging(
            ((rollout.available, wanted, "ReplicasUnavailable", "replicas are available"),), healthy
        )
        or Health(
            "Healthy", "ReplicasAvailable", f"{rollout.available} replicas are available", healthy
        )
    )


KIND = NativeKind(
    gvk=GVK("apps", "v1", "ReplicaSet"),
    get_replicas=replicas_of,
    get_components=components_from(replicas_of),
    revise_replica=revise,
    aggregate_status=aggregate(_COUNTERS),
    reflect_status=reflect(_COUNTERS),
    interpret_health=interpret_health,
    get_dependencies=template_dependencies,
)
