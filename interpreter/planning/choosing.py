"""Which policy a template is under, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.api.gates import gate_is_on
from interpreter.errors import Conflict, InterpreterError
from interpreter.machinery.unstructured import (
    JsonObject,
    map_at,
    map_or_empty,
    name_of,
    namespace_of,
    read_str,
)
from interpreter.planning.drafts import Draft
from interpreter.planning.plan import PolicyChoice, RankedChoice, reference
from interpreter.planning.preparing import admitted_binding
from interpreter.propagation import (
    Estate,
    Interpreter,
    Match,
    PolicyIndex,
    RankedPolicy,
    Surroundings,
    TemplateOutcome,
    claim_of,
    is_watched,
    key_of,
    reconcile_template,
    upsert_policy,
)
from interpreter.propagation.marking import ObjectKey
from interpreter.scheduler.placements import compile_placement

_MATCHES = {Match.ALL: "all of the kind", Match.LABELS: "by labels", Match.NAME: "by name"}


class Policies:
    """Policies over templates."""

    def __init__(
        self,
        *,
        policies: Sequence[JsonObject],
        overrides: Sequence[JsonObject],
        priority_classes: Sequence[JsonObject],
        bindings: Sequence[JsonObject],
        interpreter: Interpreter,
        gates: Mapping[str, bool],
    ) -> None:
        """Takes what exists beside the templates; arguments as of the rooms of the pipeline."""
        self._policies = policies
        self._around = Surroundings(
            policies=policies,
            overrides=overrides,
            priority_classes=priority_classes,
            bindings=bindings,
        )
        self._of_clusters = PolicyIndex(
            each for each in policies if each.get("kind") == "ClusterPropagationPolicy"
        )
        self._interpreter, self._gates = interpreter, gates
        self._bound: dict[ObjectKey, str] = {}
        self._strategies: dict[int, str] = {}

    def preempt(self, drafts: Sequence[Draft]) -> None:
        """Lets policies take over templates that others hold; needs its gate."""
        if not gate_is_on(self._gates, "PropagationPolicyPreemption"):
            return
        held = {draft.key: draft for draft in drafts if claim_of(draft.template) is not None}
        for policy in self._policies:
            if not held or map_or_empty(policy, "spec").get("preemption") != "Always":
                continue
            estate = Estate(
                templates=[draft.template for draft in held.values()], policies=self._policies
            )
            outcome = upsert_policy(policy, estate, gates=self._gates)
            for key, template in outcome.templates.items():
                held[key].template = template
                held[key].note(f"taken over by {reference(policy)}, which preempts")

    def choose(self, draft: Draft) -> None:
        """Brings a template under its policy and builds its binding.

        Raises:
            InterpreterError: Template or policy cannot be used.
        """
        if not is_watched(draft.template):
            draft.note("is in a namespace of the control plane: nothing there is propagated")
            return
        claim = claim_of(draft.template)
        ranked = self._ranked(draft.template) if claim is None else []
        outcome = self._reconcile(draft.template)
        if claim is not None and outcome.policy is None and outcome.error is None:
            draft.note(f"held by {claim.holder.scope.kind} {claim.holder.name}, which is not there")
            draft.template = outcome.template
            claim, ranked = None, self._ranked(draft.template)
            outcome = self._reconcile(draft.template)
        draft.template = outcome.template
        if outcome.policy is None:
            if outcome.binding is not None:
                draft.binding = admitted_binding(outcome.binding)
            if draft.before:
                draft.note("no policy selects it any more: it stays where its binding has it")
            return
        draft.policy = self._choice(outcome.policy, ranked)
        if outcome.binding is not None:
            self._check_free(draft, key_of(outcome.binding))
            draft.binding = admitted_binding(outcome.binding)
        if outcome.error is not None:
            raise outcome.error
        if claim is not None and outcome.binding is None:
            draft.note(f"{draft.policy.policy} holds it, but does not select it any more")

    def _check_free(self, draft: Draft, key: ObjectKey) -> None:
        """Notes whose binding it is; names of bindings do not tell API groups apart.

        Raises:
            Conflict: It is another template's.
        """
        holder = self._bound.setdefault(key, draft.shown)
        if holder != draft.shown:
            raise Conflict(
                f"its binding {key.name} is that of {holder}", hint="give one of them another name"
            )

    def _reconcile(self, template: JsonObject) -> TemplateOutcome:
        return reconcile_template(
            template,
            self._around,
            interpreter=self._interpreter,
            gates=self._gates,
            waiting=True,
        )

    def _ranked(self, template: JsonObject) -> list[RankedPolicy]:
        """Every policy that selects a template, the winner first."""
        ranked = self._around.policies.ranked(template)
        if ranked and namespace_of(ranked[0].policy):
            ranked = [*ranked, *self._of_clusters.ranked(template)]
        return ranked

    def _choice(self, policy: JsonObject, ranked: Sequence[RankedPolicy]) -> PolicyChoice:
        return PolicyChoice(
            policy=reference(policy),
            why=_why(ranked),
            ranked=tuple(
                RankedChoice(reference(each.policy), each.priority, _MATCHES[each.match])
                for each in ranked
            ),
            strategy=self._strategy(policy),
            obj=policy,
        )

    def _strategy(self, policy: JsonObject) -> str:
        known = self._strategies.get(id(policy))
        if known is None:
            try:
                known = compile_placement(map_at(policy, "spec", "placement")).strategy
            except InterpreterError:
                known = ""  # scheduling says what is wrong with it
            self._strategies[id(policy)] = known
        return known


def _why(ranked: Sequence[RankedPolicy]) -> str:
    """Why the first of some policies comes before the second."""
    if not ranked:
        return "the object is marked as its own"
    if len(ranked) == 1:
        return f"the only one, selects {_MATCHES[ranked[0].match]}"
    first, second = ranked[:2]
    other = reference(second.policy)
    if namespace_of(first.policy) and not namespace_of(second.policy):
        return f"a policy of the namespace, before {other}"
    if first.priority != second.priority:
        return f"priority {first.priority}, before {second.priority} of {other}"
    if first.match != second.match:
        return f"selects {_MATCHES[first.match]}, {other} {_MATCHES[second.match]}"
    return f"as {other}, and {name_of(first.policy)} comes first by name"


def scheduler_of(policy: JsonObject) -> str:
    """Name of the scheduler that a policy asks for; empty for the usual one."""
    name = read_str(map_or_empty(policy, "spec"), "schedulerName", "spec")
    return "" if name == "default-scheduler" else name
