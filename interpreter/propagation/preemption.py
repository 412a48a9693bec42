"""Policies that come, change or go: what happens to the templates they hold, or could take over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from interpreter.api.gates import gate_is_on
from interpreter.errors import InterpreterError, NotFound
from interpreter.machinery.unstructured import (
    JsonObject,
    generation_of,
    map_or_empty,
    name_of,
    namespace_of,
    read_str,
)
from interpreter.propagation.bindings import binding_key, resource_of
from interpreter.propagation.claiming import (
    CLUSTER,
    NAMESPACED,
    claimed,
    holder_of,
    identifier_of,
    released,
    scope_of,
)
from interpreter.propagation.events import is_lazy
from interpreter.propagation.marking import (
    ObjectKey,
    by_key,
    is_deleting,
    key_of,
    text_label,
    without_finalizer,
)
from interpreter.propagation.policies import missing_override
from interpreter.propagation.selection import (
    PolicyIndex,
    ResourceSelector,
    best_match,
    compiled_selectors,
    priority_of,
)


class QueuedTemplate(NamedTuple):
    """A template to look at again.

    Attributes:
        key: The template.
        by_system: Whether a lazy policy is to leave its binding alone.
    """

    key: ObjectKey
    by_system: bool


class Estate:
    """Everything that a policy may hold or take over."""

    def __init__(
        self,
        *,
        templates: Iterable[JsonObject] = (),
        bindings: Iterable[JsonObject] = (),
        policies: Iterable[JsonObject] = (),
        overrides: Iterable[JsonObject] = (),
        waiting: Iterable[ObjectKey] = (),
    ) -> None:
        """Takes the objects.

        Args:
            templates: Templates of every kind.
            bindings: Bindings of both kinds.
            policies: Propagation policies of both kinds.
            overrides: Override policies of both kinds.
            waiting: Templates that wait for a policy.
        """
        self.templates = by_key(templates)
        self.bindings = by_key(bindings)
        self.policies = PolicyIndex(policies)
        self.overrides = frozenset(key_of(each) for each in overrides)
        self.waiting = tuple(waiting)


@dataclass(kw_only=True)
class PolicyOutcome:
    """What a policy's coming, change or going means.

    Attributes:
        templates: Changed templates by key.
        bindings: Changed bindings by key.
        queue: Templates to look at again; each once.
        waiting: Templates that still wait for a policy.
        policy: The policy to write; None when it is left as it is, or is gone.
        errors: What failed; the rest is to be written all the same, and the policy looked at again.
    """

    templates: dict[ObjectKey, JsonObject] = field(default_factory=dict)
    bindings: dict[ObjectKey, JsonObject] = field(default_factory=dict)
    queue: list[QueuedTemplate] = field(default_factory=list)
    waiting: list[ObjectKey] = field(default_factory=list)
    policy: JsonObject | None = None
    errors: list[InterpreterError] = field(default_factory=list)


def upsert_policy(
    policy: JsonObject, estate: Estate, *, gates: Mapping[str, bool]
) -> PolicyOutcome:
    """A policy was created or changed.

    Templates that it no longer selects lose its claim, and so do their bindings. What it still
    holds is queued, and so are waiting templates that it selects. At last it takes over what it
    may preempt.

    Args:
        policy: The policy; it must have its identifier.
        estate: What exists.
        gates: Feature gates that are on or off; preemption needs ``PropagationPolicyPreemption``.

    Raises:
        InvalidObject: The policy has no identifier, or a field that is read has the wrong type.
    """
    scope, identifier, lazy = scope_of(policy), identifier_of(policy), is_lazy(policy)
    selectors = compiled_selectors(policy)
    outcome = PolicyOutcome()
    queue: dict[ObjectKey, None] = {}
    for key, binding in _held(estate, scope.id_label, identifier):
        template_key = resource_of(binding)
        template = estate.templates.get(template_key)
        if template is None or best_match(template, selectors):
            queue[template_key] = None
        else:
            outcome.bindings[key] = released(binding, scope, identifier)
            outcome.templates[template_key] = released(template, scope, identifier)
    selected = {
        key
        for key in estate.waiting
        if key in estate.templates and best_match(estate.templates[key], selectors)
    }
    absent = missing_override(policy, estate.overrides) if selected else None
    if absent is not None:
        outcome.errors.append(absent)
        selected = set()
    outcome.waiting = [key for key in estate.waiting if key not in selected]
    queue.update((key, None) for key in estate.waiting if key in selected)
    outcome.queue = [QueuedTemplate(key, lazy) for key in queue]
    if absent is None and _preempts(policy, gates):
        _preempt(policy, selectors, estate, outcome)
    return outcome


def delete_policy(policy: JsonObject, estate: Estate) -> PolicyOutcome:
    """A policy is being deleted: its claims go, bindings and their schedules stay.

    For each kind and namespace that it selects, every object that carries its identifier is
    released, whatever name and labels its selectors ask for.

    Raises:
        InvalidObject: The policy has no identifier, or a field that is read has the wrong type.
    """
    scope, identifier = scope_of(policy), identifier_of(policy)
    outcome = PolicyOutcome(waiting=list(estate.waiting))
    places = {(each.api_version, each.kind, each.namespace) for each in compiled_selectors(policy)}
    for key, template in estate.templates.items():
        if not _is_in(key, places) or text_label(template, scope.id_label) != identifier:
            continue
        where = binding_key(template)
        if where in estate.bindings:
            outcome.bindings[where] = released(estate.bindings[where], scope, identifier)
        outcome.templates[key] = released(template, scope, identifier)
    left = without_finalizer(policy, scope.finalizer)
    outcome.policy = left if map_or_empty(left, "metadata").get("finalizers") else None
    return outcome


def policies_to_review(
    old: JsonObject,
    new: JsonObject,
    others: Iterable[JsonObject],
    *,
    gates: Mapping[str, bool],
) -> list[JsonObject]:
    """Policies to look at after one changed, in order.

    The policy itself, when its generation changed. When its priority sank, so may its templates go
    to those it now stands below: preempting policies with an explicit priority strictly between
    the new and the old one, the highest first, then by name.
    """
    if generation_of(old) == generation_of(new):
        return []
    high, low = priority_of(old), priority_of(new)
    if not gate_is_on(gates, "PropagationPolicyPreemption") or low >= high:
        return [new]
    candidates = [
        each
        for each in others
        if each.get("kind") == new.get("kind")
        and namespace_of(each) == namespace_of(new)
        and name_of(each) != name_of(new)
        and _preempts(each, gates)
        and map_or_empty(each, "spec").get("priority") is not None
        and low < priority_of(each) < high
    ]
    candidates.sort(key=lambda each: (-priority_of(each), name_of(each)))
    return [new, *candidates]


def _held(estate: Estate, label: str, identifier: str) -> Iterator[tuple[ObjectKey, JsonObject]]:
    for key, binding in estate.bindings.items():
        if text_label(binding, label) == identifier:
            yield key, binding


def _is_in(key: ObjectKey, places: set[tuple[str, str, str]]) -> bool:
    """Whether an object is of a kind and namespace; an empty namespace means all of them."""
    return (key.api_version, key.kind, key.namespace) in places or (
        key.api_version,
        key.kind,
        "",
    ) in places


def _preempts(policy: JsonObject, gates: Mapping[str, bool]) -> bool:
    always = read_str(map_or_empty(policy, "spec"), "preemption", "spec") == "Always"
    return always and gate_is_on(gates, "PropagationPolicyPreemption")


def _preempt(
    policy: JsonObject,
    selectors: Iterable[ResourceSelector],
    estate: Estate,
    outcome: PolicyOutcome,
) -> None:
    """Takes over the templates that selectors name."""
    for each in selectors:
        namespace = each.namespace or namespace_of(policy)
        key = ObjectKey(each.api_version, each.kind, namespace, each.name)
        template = outcome.templates.get(key) or estate.templates.get(key)
        if template is None or is_deleting(template):
            continue
        try:
            if _may_take(policy, template, estate.policies):
                outcome.templates[key] = claimed(template, policy)
        except InterpreterError as error:
            outcome.errors.append(error)


def _may_take(policy: JsonObject, template: JsonObject, policies: PolicyIndex) -> bool:
    """Whether a policy may take a template from who holds it, going by the names it is marked with.

    A namespaced policy takes from every cluster policy; within a scope only a strictly higher
    priority takes; a cluster policy takes nothing from namespaced ones.

    Raises:
        NotFound: The holding policy does not exist.
    """
    scope = scope_of(policy)
    if scope is CLUSTER and holder_of(template, NAMESPACED) is not None:
        return False
    holder = holder_of(template, scope)
    if holder is None:
        return scope is NAMESPACED and holder_of(template, CLUSTER) is not None
    if holder.key == key_of(policy):
        return False
    held_by = policies.get(holder.key)
    if held_by is None:
        raise NotFound(
            f"{holder.scope.kind} {holder.name}, which holds {template['kind']} "
            f"{name_of(template)}, does not exist",
            hint="its claim is removed when the template is looked at",
        )
    return priority_of(policy) > priority_of(held_by)
