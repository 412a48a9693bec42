"""Workloads that want to be together, or apart: what other bindings say about a cluster."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from interpreter.machinery.unstructured import (
    JsonObject,
    map_at,
    map_or_empty,
    name_of,
    namespace_of,
    objects_at,
    read_str,
)

_VERSION = re.compile(r"[1-9][0-9]*\Z")
_NOT_TOGETHER = "ResourceBinding with the same affinity group does not target this cluster"
_NOT_APART = "cluster already has workload with the same anti-affinity group"
_NO_INDEX = "ResourceBindingIndexer is nil"
_NO_ORDER = "failed to compare resource versions for ResourceBinding"
_GROUPS = {"together": "affinityGroup", "apart": "antiAffinityGroup"}


class Verdict(NamedTuple):
    """What the other workloads of a group say about clusters.

    Attributes:
        reason: Why a cluster cannot be used.
        required: Clusters that can be used; None for all but those in ``occupied``.
        occupied: Clusters that cannot be used.
    """

    reason: str
    required: frozenset[str] | None
    occupied: frozenset[str] = frozenset()


class Workloads:
    """Bindings by namespace and group.

    A binding counts under the group of the copy that was read from the store. Where the scheduler
    itself holds a newer copy, that one is judged.
    """

    def __init__(
        self, existing: Iterable[JsonObject] | None, assigning: Iterable[JsonObject] = ()
    ) -> None:
        """Indexes bindings.

        Args:
            existing: All bindings, as read from the store; None when there is no index.
            assigning: The scheduler's own copies of those that it has just scheduled.
        """
        self._own = {(namespace_of(binding), name_of(binding)): binding for binding in assigning}
        self._index: dict[tuple[str, str, str], list[JsonObject]] | None = None
        if existing is None:
            return
        self._index = {}
        for binding in sorted(existing, key=name_of):
            for relation in _GROUPS:
                group = group_of(binding, relation)
                if group:
                    key = (relation, namespace_of(binding), group)
                    self._index.setdefault(key, []).append(binding)

    def verdict(self, binding: JsonObject, relation: str) -> Verdict | None:
        """What others say about clusters for a binding; None when they do not mind.

        Args:
            binding: The binding.
            relation: ``together`` or ``apart``.
        """
        group = group_of(binding, relation)
        if not group:
            return None
        if self._index is None:
            return Verdict(_NO_INDEX, frozenset())
        resource = map_at(binding, "spec", "resource")
        namespace = read_str(resource, "namespace", "spec.resource")
        kind = read_str(resource, "kind", "spec.resource")
        own_name = f"{read_str(resource, 'name')}-{kind}".lower().replace(":", ".")
        scheduled: list[frozenset[str]] = []
        for other in self._index.get((relation, namespace, group), ()):
            name = name_of(other)
            if name == own_name:
                continue
            own = self._own.get((namespace, name))
            if own is not None:
                newer = _is_newer(own, other)
                if newer is None:
                    return Verdict(_NO_ORDER, frozenset())
                if newer:
                    other = own
                    if group_of(other, relation) != group:
                        continue
            clusters = frozenset(
                read_str(entry or {}, "name")
                for entry in objects_at(map_or_empty(other, "spec"), "clusters", "spec")
            )
            if clusters:
                scheduled.append(clusters)
        if not scheduled:
            return None
        if relation == "together":
            return Verdict(_NOT_TOGETHER, frozenset.intersection(*scheduled))
        return Verdict(_NOT_APART, None, frozenset().union(*scheduled))


def group_of(binding: JsonObject, relation: str) -> str:
    """The group that a binding names for a relation; empty for none."""
    groups = map_at(binding, "spec", "workloadAffinityGroups")
    return read_str(groups, _GROUPS[relation], "spec.workloadAffinityGroups")


def _is_newer(own: JsonObject, other: JsonObject) -> bool | None:
    versions = [
        read_str(map_or_empty(each, "metadata"), "resourceVersion", "metadata")
        for each in (own, other)
    ]
    if not all(_VERSION.match(version) for version in versions):
        return None
    left, right = versions
    return (len(left), left) > (len(right), right)
