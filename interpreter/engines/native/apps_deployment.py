"""apps/v1 Deployment."""

from __future__ import annotations

from interpreter.api.results import Health
from interpreter.codec.copying import copy_object
from interpreter.engines.native.any_kind import drop_annotations
from interpreter.engines.native.counters import Counters, aggregate, reflect
from interpreter.engines.native.health import conditions_of, first_lagging, read_rollout, stale
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.retention import read_strict, write
from interpreter.engines.native.statuses import status_of
from interpreter.engines.native.templates import (
    components_from,
    replicas_of,
    revise,
    template_dependencies,
)
from interpreter.errors import InvalidObject
from interpreter.machinery.conditions import find_condition
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import (
    INT32_MAX,
    JsonObject,
    map_at,
    read_bool,
    strict_int,
    strict_string_map,
)

#: With the value ``true`` on the template, the member cluster's replica count stands.
RETAIN_REPLICAS_LABEL = "resourcetemplate.karmada.io/retain-replicas"

_REVISION_ANNOTATIONS = (
    "deployment.kubernetes.io/revision",
    "deployment.kubernetes.io/revision-history",
)
_COUNTERS = Counters(
    (
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
    )
)


def retain(desired: JsonObject, observed: JsonObject) -> JsonObject:
    """Keeps the member's replica count when the template asks for it by label."""
    labels = read_strict(desired, ("metadata", "labels"), strict_string_map) or {}
    retained = copy_object(desired)
    if labels.get(RETAIN_REPLICAS_LABEL) == "true":
        replicas = read_strict(observed, ("spec", "replicas"), strict_int)
        if replicas is None:
            raise InvalidObject(
                "is missing in the member's object, but the template retains it",
                path="spec.replicas",
            )
        if not 0 <= replicas <= INT32_MAX:
            raise InvalidObject(
                "must be in 0..2147483647 in the member's object",
                path="spec.replicas",
                value=replicas,
            )
        write(retained, ("spec", "replicas"), replicas)
    return retained


def interpret_health(obj: JsonObject) -> Health:
    """Follows the rollout: observed, updated, old replicas gone, available."""
    rollout = read_rollout(obj)
    conditions = conditions_of(status_of(obj))
    healthy = (
        rollout.observed == rollout.generation
        and (rollout.wanted is None or rollout.updated >= rollout.wanted)
        and rollout.available >= rollout.updated
    )
    # No deadline runs while a rollout is paused; the condition of an older one stays.
    if read_bool(map_at(obj, "spec"), "paused", "spec"):
        return Health("Suspended", "DeploymentPaused", "the deployment is paused", healthy)
    progress = find_condition(conditions, "Progressing")
    if progress is not None and progress.reason == "ProgressDeadlineExceeded":
        return Health("Degraded", progress.reason, progress.message, healthy)
    return (
        stale(rollout.observed, rollout.generation, healthy)
        or first_lagging(
            (
                (
                    rollout.updated,
                    rollout.wanted or 0,
                    "ReplicasUpdating",
                    "new replicas are updated",
                ),
                (rollout.updated, rollout.total, "OldReplicasTerminating", "replicas are new ones"),
                (
                    rollout.available,
                    rollout.updated,
                    "ReplicasUnavailable",
                    "updated replicas are available",
                ),
            ),
            healthy,
        )
        or Health(
            "Healthy", "RolloutComplete", f"{rollout.available} replicas are available", healthy
        )
    )


def prune_rule(obj: JsonObject, _remove_job_ttl: bool) -> None:
    """Drops the revision annotations of the deployment controller."""
    drop_annotations(obj, _REVISION_ANNOTATIONS)


KIND = NativeKind(
    gvk=GVK("apps", "v1", "Deployment"),
    get_replicas=replicas_of,
    get_components=components_from(replicas_of),
    revise_replica=revise,
    retain=retain,
    aggregate_status=aggregate(_COUNTERS),
    reflect_status=reflect(_COUNTERS),
    interpret_health=interpret_health,
    get_dependencies=template_dependencies,
    prune_rule=prune_rule,
)
