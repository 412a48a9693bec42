"""Which resources a policy selects, and which of several policies wins.

The rank of a policy: its explicit priority, then how precisely it selects, then the smaller name.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    name_of,
    namespace_of,
    objects_at,
    read_int,
    read_map,
    read_str,
)
from interpreter.propagation.claiming import CLUSTER, NAMESPACED
from interpreter.propagation.marking import ObjectKey, is_deleting, key_of, labels_of


class Match(enum.IntEnum):
    """How precisely a selector matches; also the implicit priority of its policy."""

    NONE = 0
    ALL = 1
    LABELS = 2
    NAME = 3


@dataclass(frozen=True, slots=True)
class RankedPolicy:
    """A policy that selects a resource.

    Attributes:
        policy: The policy.
        priority: Its explicit priority.
        match: How precisely it selects the resource.
    """

    policy: JsonObject
    priority: int
    match: Match


def selector_match(resource: JsonObject, selector: JsonObject) -> Match:
    """How one resource selector matches a resource.

    A name decides alone: a label selector beside it is not looked at. A label selector that is
    empty matches everything by label; one that cannot be used matches nothing.
    """
    for field in ("apiVersion", "kind"):
        if read_str(resource, field) != read_str(selector, field):
            return Match.NONE
    namespace = read_str(selector, "namespace")
    if namespace and namespace != namespace_of(resource):
        return Match.NONE
    name = read_str(selector, "name")
    if name:
        return Match.NAME if name == name_of(resource) else Match.NONE
    labels = read_map(selector, "labelSelector")
    if labels is None:
        return Match.ALL
    return Match.LABELS if _labels_match(labels, labels_of(resource)) else Match.NONE


def selectors_match(resource: JsonObject, selectors: Iterable[JsonObject]) -> Match:
    """The most precise match of several selectors; no selectors match nothing."""
    return max((selector_match(resource, each or {}) for each in selectors), default=Match.NONE)


def policy_match(resource: JsonObject, policy: JsonObject) -> Match:
    """How a policy selects a resource."""
    return selectors_match(resource, selectors_of(policy))


def selectors_of(policy: JsonObject) -> list[JsonObject] | tuple[()]:
    """Resource selectors of a policy."""
    return objects_at(map_or_empty(policy, "spec"), "resourceSelectors", "spec")


def priority_of(policy: JsonObject) -> int:
    """Explicit priority of a propagation policy; 0 when it states none."""
    return read_int(map_or_empty(policy, "spec"), "priority", "spec") or 0


class PolicyIndex:
    """Propagation policies of both scopes, by key, and by the kinds that they select."""

    def __init__(self, policies: Iterable[JsonObject] = ()) -> None:
        """Takes policies of both kinds; of two with one key the later counts."""
        self._by_key = {key_of(policy): policy for policy in policies}
        self._by_kind: dict[tuple[str, str, str, str], list[JsonObject]] = defaultdict(list)
        for key, policy in self._by_key.items():
            kinds = {
                (read_str(each, "apiVersion"), read_str(each, "kind"))
                for each in selectors_of(policy)
                if each
            }
            for kind in kinds:
                self._by_kind[key.kind, key.namespace, *kind].append(policy)

    def get(self, key: ObjectKey) -> JsonObject | None:
        """The policy of a key, None when it does not exist."""
        return self._by_key.get(key)

    def ranked(self, template: JsonObject) -> list[RankedPolicy]:
        """Policies that a template which nobody claims can have, the winner first.

        Those of its namespace; cluster policies only when none of them selects it. Policies that
        are being deleted do not count.
        """
        kind = (read_str(template, "apiVersion"), read_str(template, "kind"))
        namespace = namespace_of(template)
        if namespace:
            found = _rank(template, self._by_kind.get((NAMESPACED.kind, namespace, *kind), ()))
            if found:
                return found
        return _rank(template, self._by_kind.get((CLUSTER.kind, "", *kind), ()))

    def winner(self, template: JsonObject) -> JsonObject | None:
        """The policy that wins a template which nobody claims; None when none selects it."""
        ranked = self.ranked(template)
        return ranked[0].policy if ranked else None


def _rank(template: JsonObject, policies: Iterable[JsonObject]) -> list[RankedPolicy]:
    found = [
        RankedPolicy(policy, priority_of(policy), match)
        for policy in policies
        if not is_deleting(policy) and (match := policy_match(template, policy))
    ]
    # Python compares texts by code point, which for UTF-8 is the order of bytes.
    found.sort(key=lambda each: (-each.priority, -each.match, name_of(each.policy)))
    return found


def _labels_match(selector: JsonObject, labels: JsonObject) -> bool:
    for key, value in map_or_empty(selector, "matchLabels").items():
        if key not in labels or labels[key] != value:
            return False
    for each in objects_at(selector, "matchExpressions"):
        key, operator, values = each.get("key"), each.get("operator"), each.get("values") or []
        if operator == "In":
            ok = key in labels and labels[key] in values
        elif operator == "NotIn":
            ok = key not in labels or labels[key] not in values
        elif operator == "Exists":
            ok = key in labels
        elif operator == "DoesNotExist":
            ok = key not in labels
        else:
            ok = False
        if not ok:
            return False
    return True
