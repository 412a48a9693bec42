"""What admission writes into policies and bindings before they are stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from interpreter.api import marks
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    objects_at,
    read_int,
    read_map,
    read_str,
)
from interpreter.propagation.claiming import scope_of
from interpreter.propagation.marking import marked, text_label, with_finalizer

#: Seconds that a graceful eviction of a failed application waits, unless its policy says otherwise.
_GRACE_PERIOD = 600
#: The purge mode that waits, and its older name.
_GRACEFUL = frozenset({"Gracefully", "Graciously"})
_IN_OWN_NAMESPACE = frozenset({"PropagationPolicy", "OverridePolicy"})
_PROPAGATION = frozenset({"PropagationPolicy", "ClusterPropagationPolicy"})


def admit_policy(
    policy: JsonObject,
    *,
    namespace: str,
    operation: Literal["CREATE", "UPDATE"],
    identifier: str,
) -> JsonObject:
    """A propagation or override policy with the defaults that admission writes.

    Args:
        policy: The policy as a user sent it.
        namespace: Namespace of the request, empty for a cluster policy.
        operation: Whether it is new: only then it gets its identifier and finalizer.
        identifier: The identifier for a new propagation policy. One that it brought along is
            replaced: it would be that of the policy it was copied from.

    Raises:
        InvalidObject: A field that is read has the wrong type.
    """
    kind = read_str(policy, "kind")
    spec = dict(map_or_empty(policy, "spec"))
    if kind in _IN_OWN_NAMESPACE and namespace:
        _edit_each(spec, "resourceSelectors", lambda each: _within(each, namespace))
    policy = {**policy, "spec": spec}
    if kind not in _PROPAGATION:
        return policy
    _default_placement(spec)
    _default_failover(spec)
    selectors = objects_at(spec, "resourceSelectors", "spec")
    if any(each and _is_service_import(each) for each in selectors):
        spec["propagateDeps"] = True
    if operation == "CREATE":
        scope = scope_of(policy)
        policy = marked(policy, labels={scope.id_label: identifier})
        policy = with_finalizer(policy, scope.finalizer)
    return policy


def admit_binding(binding: JsonObject, *, identifier: str) -> JsonObject:
    """A binding with its permanent identifier; one that it has stays.

    Works and attached bindings find their binding by it.
    """
    cluster_scoped = read_str(binding, "kind") == "ClusterResourceBinding"
    label = marks.CLUSTER_BINDING_ID if cluster_scoped else marks.BINDING_ID
    return binding if text_label(binding, label) else marked(binding, labels={label: identifier})


def _within(selector: JsonObject, namespace: str) -> JsonObject:
    return selector if read_str(selector, "namespace") else {**selector, "namespace": namespace}


def _is_service_import(selector: JsonObject) -> bool:
    group = read_str(selector, "apiVersion").partition("/")[0]
    return group == "multicluster.x-k8s.io" and read_str(selector, "kind") == "ServiceImport"


def _default_placement(spec: JsonObject) -> None:
    if read_map(spec, "placement", "spec") is None:
        return
    placement = spec["placement"] = dict(spec["placement"])
    _edit_each(placement, "spreadConstraints", _spread)
    scheduling = read_map(placement, "replicaScheduling", "spec.placement")
    if scheduling is not None and read_str(scheduling, "replicaSchedulingType") == "Divided":
        preference = read_str(scheduling, "replicaDivisionPreference") or "Weighted"
        placement["replicaScheduling"] = {**scheduling, "replicaDivisionPreference": preference}


def _spread(constraint: JsonObject) -> JsonObject:
    constraint = dict(constraint)
    if not read_str(constraint, "spreadByField") and not read_str(constraint, "spreadByLabel"):
        constraint["spreadByField"] = "cluster"
    if not read_int(constraint, "minGroups"):
        constraint["minGroups"] = 1
    return constraint


def _default_failover(spec: JsonObject) -> None:
    failover = map_or_empty(spec, "failover", "spec")
    application = read_map(failover, "application", "spec.failover")
    if application is None or read_str(application, "purgeMode") not in _GRACEFUL:
        return
    if application.get("gracePeriodSeconds") is None:
        application = {**application, "gracePeriodSeconds": _GRACE_PERIOD}
        spec["failover"] = {**failover, "application": application}


def _edit_each(parent: JsonObject, key: str, edit: Callable[[JsonObject], JsonObject]) -> None:
    items = objects_at(parent, key)
    if items:
        parent[key] = [edit(each or {}) for each in items]
