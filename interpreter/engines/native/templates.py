"""Kinds with one pod template.

Replicas, components, revision and dependencies from the same two paths.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.api.results import (
    Component,
    DependentObjectReference,
    NodeClaim,
    ReplicaRequirements,
    ReplicaResult,
)
from interpreter.codec.copying import copy_object
from interpreter.errors import InvalidObject
from interpreter.machinery import podspec
from interpreter.machinery.unstructured import (
    INT32_MAX,
    JsonObject,
    map_at,
    name_of,
    namespace_of,
    read_count,
    strict_int,
)

#: Where most kinds keep their pod spec.
TEMPLATE_SPEC = ("spec", "template", "spec")


def requirements_of(pod: JsonObject, path: tuple[str, ...]) -> ReplicaRequirements | None:
    """What one pod needs; None when its spec states nothing."""
    if not pod:
        return None
    try:
        claim = podspec.node_constraints(pod)
        request = podspec.resource_request(pod)
    except InvalidObject as error:
        raise error.within(".".join(path)) from None
    if claim is None and not request:
        return None
    return ReplicaRequirements(
        None if claim is None else NodeClaim(*claim),
        request or None,
    )


def count_at(obj: JsonObject, field: str) -> int | None:
    """A replica count in ``spec``: 0..2^31-1, None when absent."""
    return read_count(map_at(obj, "spec"), field, "spec")


def replicas_of(obj: JsonObject) -> ReplicaResult:
    """GetReplicas for kinds with ``spec.replicas``; a missing count is 0, as in the reference."""
    return ReplicaResult(
        count_at(obj, "replicas") or 0,
        requirements_of(map_at(obj, "spec", "template", "spec"), TEMPLATE_SPEC),
    )


def components_from(
    get_replicas: Callable[[JsonObject], ReplicaResult],
) -> Callable[[JsonObject], list[Component]]:
    """GetComponents of a kind with one pod template: one component named after the object."""

    def get_components(obj: JsonObject) -> list[Component]:
        result = get_replicas(obj)
        return [Component(name_of(obj), result.replicas, result.requirements)]

    return get_components


def revise(obj: JsonObject, replicas: int, *, field: str = "replicas") -> JsonObject:
    """ReviseReplica: writes an existing integer ``spec.<field>``; a missing one stays missing.

    Raises:
        InvalidObject: The number is out of range, or the existing value is no integer.
    """
    if not 0 <= replicas <= INT32_MAX:
        raise InvalidObject("must be in 0..2147483647", path="replicas", value=replicas)
    current = strict_int(map_at(obj, "spec"), field, "spec")
    revised = copy_object(obj)
    if current is not None:
        revised["spec"][field] = replicas
    return revised


def dependencies_at(obj: JsonObject, path: tuple[str, ...]) -> list[DependentObjectReference]:
    """GetDependencies of a pod spec under a path.

    Config maps, secrets, service account, claims, each by name.
    """
    pod = map_at(obj, *path)
    if not pod:
        return []
    try:
        names = podspec.references(pod)
    except InvalidObject as error:
        raise error.within(".".join(path)) from None
    namespace = namespace_of(obj)
    return [
        DependentObjectReference("v1", kind, namespace, name)
        for kind, group in (
            ("ConfigMap", names.config_maps),
            ("Secret", names.secrets),
            ("ServiceAccount", names.service_accounts),
            ("PersistentVolumeClaim", names.claims),
        )
        for name in group
    ]


def template_dependencies(obj: JsonObject) -> list[DependentObjectReference]:
    """GetDependencies of kinds with ``spec.template``."""
    return dependencies_at(obj, TEMPLATE_SPEC)
