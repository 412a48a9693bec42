"""Which resources a policy selects, and which of several policies wins.

The rank of a policy: its explicit priority, then how precisely it selects, then the smaller name.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from interpreter.errors import InvalidObject
from interpreter.machinery.selectors import Selector, compile_selector
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


class ResourceSelector(NamedTuple):
    """A resource selector of a policy, ready to match.

    Attributes:
        api_version: Must be equal as text.
        kind: Must be equal as text.
        namespace: Compared when it is not empty.
        name: Decides alone when it is not empty: labels are then not looked at.
        labels: Label selector, None when absent. An empty one matches everything by label.
        usable: False for a label selector that is not valid: without a name such a resource
            selector matches nothing.
    """

    api_version: str
    kind: str
    namespace: str = ""
    name: str = ""
    labels: Selector | None = None
    usable: bool = True

    def match(self, resource: JsonObject) -> Match:
        """How it matches a resource."""
        if resource.get("kind") != self.kind or resource.get("apiVersion") != self.api_version:
            return Match.NONE
        if self.namespace and self.namespace != namespace_of(resource):
            return Match.NONE
        if self.name:
            return Match.NAME if self.name == name_of(resource) else Match.NONE
        if not self.usable:
            return Match.NONE
        if self.labels is None:
            return Match.ALL
        return Match.LABELS if self.labels.matches(labels_of(resource)) else Match.NONE


def compile_resource_selector(selector: JsonObject) -> ResourceSelector:
    """A resource selector (``policy.karmada.io/v1alpha1``), ready to match.

    Raises:
        InvalidObject: A field has the wrong type.
    """
    stated = read_map(selector, "labelSelector")
    labels, usable = None, True
    if stated is not None:
        try:
            labels = compile_selector(stated)
        except InvalidObject:
            usable = False
    return ResourceSelector(
        read_str(selector, "apiVersion"),
        read_str(selector, "kind"),
        read_str(selector, "namespace"),
        read_str(selector, "name"),
        labels,
        usable,
    )


def compiled_selectors(policy: JsonObject) -> tuple[ResourceSelector, ...]:
    """Resource selectors of a policy, ready to match."""
    return tuple(compile_resource_selector(each or {}) for each in selectors_of(policy))


def best_match(resource: JsonObject, selectors: Iterable[ResourceSelector]) -> Match:
    """The most precise match of several selectors; no selectors match nothing."""
    return max((each.match(resource) for each in selectors), default=Match.NONE)


def selectors_match(resource: JsonObject, selectors: Iterable[JsonObject | None]) -> Match:
    """The most precise match of resource selectors that are compiled for this one time."""
    return best_match(resource, (compile_resource_selector(each or {}) for each in selectors))


def policy_match(resource: JsonObject, policy: JsonObject) -> Match:
    """How a policy selects a resource."""
    return selectors_match(resource, selectors_of(policy))


def selectors_of(policy: JsonObject) -> list[JsonObject] | tuple[()]:
    """Resource selectors of a policy."""
    return objects_at(map_or_empty(policy, "spec"), "resourceSelectors", "spec")


def priority_of(policy: JsonObject) -> int:
    """Explicit priority of a propagation policy; 0 when it states none."""
    return read_int(map_or_empty(policy, "spec"), "priority", "spec") or 0


class _Candidate(NamedTuple):
    policy: JsonObject
    priority: int
    selectors: tuple[ResourceSelector, ...]


class PolicyIndex:
    """Propagation policies of both scopes, by key, and by the kinds that they select."""

    def __init__(self, policies: Iterable[JsonObject] = ()) -> None:
        """Takes policies of both kinds; of two with one key the later counts."""
        self._by_key = {key_of(policy): policy for policy in policies}
        self._by_kind: dict[tuple[str, str, str, str], list[_Candidate]] = defaultdict(list)
        for key, policy in self._by_key.items():
            if is_deleting(policy):
                continue
            candidate = _Candidate(policy, priority_of(policy), compiled_selectors(policy))
            for kind in {(each.api_version, each.kind) for each in candidate.selectors}:
                self._by_kind[key.kind, key.namespace, *kind].append(candidate)

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
        found = self._rank(template, (NAMESPACED.kind, namespace, *kind)) if namespace else []
        return found or self._rank(template, (CLUSTER.kind, "", *kind))

    def winner(self, template: JsonObject) -> JsonObject | None:
        """The policy that wins a template which nobody claims; None when none selects it."""
        ranked = self.ranked(template)
        return ranked[0].policy if ranked else None

    def _rank(self, template: JsonObject, kind: tuple[str, str, str, str]) -> list[RankedPolicy]:
        found = [
            RankedPolicy(candidate.policy, candidate.priority, match)
            for candidate in self._by_kind.get(kind, ())
            if (match := best_match(template, candidate.selectors))
        ]
        # Python compares texts by code point, which for UTF-8 is the order of bytes.
        found.sort(key=lambda each: (-each.priority, -each.match, name_of(each.policy)))
        return found
