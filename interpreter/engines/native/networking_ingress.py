"""networking.k8s.io/v1 Ingress."""

from __future__ import annotations

from interpreter.api.references import check_references
from interpreter.api.results import DependentObjectReference
from interpreter.engines.native import load_balancers
from interpreter.engines.native.health import load_balancer_health
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.statuses import Items, settle, status_of
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import (
    JsonObject,
    deep_copy,
    map_at,
    namespace_of,
    objects_at,
    read_map,
    read_str,
)


def aggregate_status(obj: JsonObject, items: Items) -> JsonObject:
    """Merges the load balancer entries of all members."""
    old = status_of(obj)
    read_map(old, "loadBalancer", "status")
    new: JsonObject = deep_copy(old)
    new["loadBalancer"] = load_balancers.merge(items, with_ip_mode=False)
    return settle(obj, new, always=obj.get("status") is None)


def get_dependencies(obj: JsonObject) -> list[DependentObjectReference]:
    """The TLS secrets in order, duplicates included.

    Raises:
        InvalidObject: A TLS entry names no secret.
    """
    namespace = namespace_of(obj)
    references = []
    for index, entry in enumerate(objects_at(map_at(obj, "spec"), "tls", "spec")):
        name = read_str(entry or {}, "secretName", f"spec.tls[{index}]")
        references.append(DependentObjectReference("v1", "Secret", namespace, name))
    check_references(references)
    return references


KIND = NativeKind(
    gvk=GVK("networking.k8s.io", "v1", "Ingress"),
    aggregate_status=aggregate_status,
    interpret_health=load_balancer_health,
    get_dependencies=get_dependencies,
)
