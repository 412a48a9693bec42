"""apps/v1 DaemonSet."""

from __future__ import annotations

from interpreter.api.results import Health
from interpreter.engines.native.counters import Counters, aggregate, reflect
from interpreter.engines.native.health import first_lagging, stale
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.statuses import status_of
from interpreter.engines.native.templates import template_dependencies
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import (
    JsonObject,
    generation_of,
    map_at,
    read_int,
    read_str,
)

_COUNTERS = Counters(
    (
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
    ),
    always=(
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
    ),
)


def interpret_health(obj: JsonObject) -> Health:
    """Healthy when updated pods are available on every wanted node."""
    generation = generation_of(obj)
    status = status_of(obj)
    observed = read_int(status, "observedGeneration", "status", bits=64) or 0
    wanted, updated, available = (
        read_int(status, field, "status") or 0
        for field in ("desiredNumberScheduled", "updatedNumberScheduled", "numberAvailable")
    )
    healthy = observed == generation and updated >= wanted and available >= updated
    steps = [(available, wanted, "PodsUnavailable", "pods are available")]
    strategy = map_at(obj, "spec", "updateStrategy")
    manual = read_str(strategy, "type", "spec.updateStrategy") == "OnDelete"
    if not manual:
        steps.insert(0, (updated, wanted, "PodsUpdating", "pods are updated"))
    return (
        stale(observed, generation, healthy)
        or first_lagging(tuple(steps), healthy)
        or Health("Healthy", "RolloutComplete", f"{available} pods are available", healthy)
    )


KIND = NativeKind(
    gvk=GVK("apps", "v1", "DaemonSet"),
    aggregate_status=aggregate(_COUNTERS),
    reflect_status=reflect(_COUNTERS),
    interpret_health=interpret_health,
    get_dependencies=template_dependencies,
)
