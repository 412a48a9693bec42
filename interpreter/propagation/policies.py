"""Templates under policies: who claims a template, and which binding it gets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from interpreter.api import marks
from interpreter.errors import Conflict, InterpreterError, NotFound
from interpreter.machinery.unstructured import (
    JsonObject,
    list_or_empty,
    map_or_empty,
    name_of,
    namespace_of,
)
from interpreter.propagation.asking import Interpreter
from interpreter.propagation.bindings import (
    binding_key,
    build_binding,
    merge_binding,
    priority_values,
)
from interpreter.propagation.claiming import Claim, claim_of, claimed, released
from interpreter.propagation.events import is_lazy
from interpreter.propagation.marking import ObjectKey, by_key, is_deleting, key_of, text_label
from interpreter.propagation.selection import PolicyIndex, policy_match


class Surroundings:
    """What exists beside the template that is looked at."""

    def __init__(
        self,
        *,
        policies: Iterable[JsonObject] = (),
        overrides: Iterable[JsonObject] = (),
        priority_classes: Iterable[JsonObject] = (),
        bindings: Iterable[JsonObject] = (),
    ) -> None:
        """Takes the objects.

        Args:
            policies: Propagation policies of both kinds.
            overrides: Override policies of both kinds.
            priority_classes: PriorityClass objects.
            bindings: Bindings of both kinds.
        """
        self.policies = PolicyIndex(policies)
        self.overrides = frozenset(key_of(each) for each in overrides)
        self.priorities = priority_values(priority_classes)
        self.bindings = by_key(bindings)


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateOutcome:
    """What becomes of a template.

    A claim is written to the template first and then to the binding; where a claim is removed, the
    binding comes first: as long as the template is marked, the rest is done again.

    Attributes:
        template: The template; labels and annotations may differ.
        binding: Its binding to write, None when that is left as it is.
        policy: The policy that was applied, or would have been; None when there is none.
        waiting: Whether the template waits for a policy to come.
        error: What failed; template and binding are to be written all the same, and the template
            is to be looked at again.
    """

    template: JsonObject
    binding: JsonObject | None = None
    policy: JsonObject | None = None
    waiting: bool = False
    error: InterpreterError | None = None


def reconcile_template(
    template: JsonObject,
    around: Surroundings,
    *,
    interpreter: Interpreter,
    gates: Mapping[str, bool],
    waiting: bool = False,
    by_system: bool = False,
) -> TemplateOutcome:
    """Brings a template under its policy, and its binding up to date.

    A valid claim is followed without matching anew. A template without one goes to the policy of
    the highest rank; when there is none it waits, the first time with an error, so that it is
    looked at once more.

    Args:
        template: The template.
        around: What exists beside it.
        interpreter: Who knows its kind.
        gates: Feature gates that are on or off; others have their default.
        waiting: Whether it waits for a policy already.
        by_system: Whether the system itself made the change: a lazy policy then claims the
            template and leaves its binding alone.
    """
    if text_label(template, marks.TEMPLATE_CLAIMED_BY):
        return TemplateOutcome(template=template)
    claim = claim_of(template)
    if claim is not None:
        policy = around.policies.get(claim.holder.key)
        if policy is None:
            return _released(template, claim, around)
        if is_deleting(policy):
            error = Conflict(f"{_shown(policy)} is being deleted", hint="try again")
            return TemplateOutcome(template=template, policy=policy, error=error, waiting=waiting)
        if not policy_match(template, policy):
            return TemplateOutcome(template=template, policy=policy, waiting=waiting)
    else:
        winner = around.policies.winner(template)
        if winner is None:
            missing = NotFound("no propagation policy selects the template")
            error_once = None if waiting else missing
            return TemplateOutcome(template=template, waiting=True, error=error_once)
        policy = winner
    absent = missing_override(policy, around.overrides)
    if absent is not None:
        return TemplateOutcome(template=template, policy=policy, waiting=waiting, error=absent)
    return _apply(template, policy, around, interpreter=interpreter, gates=gates, leave=by_system)


def missing_override(
    policy: JsonObject, overrides: frozenset[ObjectKey] | set[ObjectKey]
) -> NotFound | None:
    """The error for an override policy that a policy depends on and that does not exist yet.

    They must be there before anything is written: otherwise a template would arrive in clusters
    as it was written, and be changed afterwards.
    """
    namespace = namespace_of(policy)
    kind = "OverridePolicy" if namespace else "ClusterOverridePolicy"
    for name in list_or_empty(map_or_empty(policy, "spec"), "dependentOverrides", "spec"):
        if ObjectKey(marks.POLICY_API_VERSION, kind, namespace, name) not in overrides:
            return NotFound(
                f"{_shown(policy)} waits for {kind} {name}",
                path="spec.dependentOverrides",
                hint="create it, or take it off the list",
            )
    return None


def _released(template: JsonObject, claim: Claim, around: Surroundings) -> TemplateOutcome:
    """The claiming policy is gone: nothing but its claim is removed."""
    scope, identifier = claim.holder.scope, claim.identifier
    existing = around.bindings.get(binding_key(template))
    return TemplateOutcome(
        template=released(template, scope, identifier),
        binding=None if existing is None else released(existing, scope, identifier),
    )


def _apply(
    template: JsonObject,
    policy: JsonObject,
    around: Surroundings,
    *,
    interpreter: Interpreter,
    gates: Mapping[str, bool],
    leave: bool,
) -> TemplateOutcome:
    binding, error = None, None
    try:
        template = claimed(template, policy)
        if not (leave and is_lazy(policy)):
            binding = build_binding(
                template,
                policy,
                interpreter=interpreter,
                gates=gates,
                priority_classes=around.priorities,
            )
            existing = around.bindings.get(key_of(binding))
            if existing is not None:
                binding = merge_binding(existing, binding, policy)
    except InterpreterError as problem:
        binding, error = None, problem
    return TemplateOutcome(template=template, binding=binding, policy=policy, error=error)


def _shown(policy: JsonObject) -> str:
    namespace = namespace_of(policy)
    return f"{policy['kind']} {namespace + '/' if namespace else ''}{name_of(policy)}"
