"""Scheduling of bindings, with everything that a pass leaves over for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.api.gates import DEFAULT_GATES, gate_is_on
from interpreter.api.scheduling import SchedulerParts
from interpreter.errors import SchedulingError
from interpreter.machinery.unstructured import (
    JsonObject,
    map_at,
    map_or_empty,
    read_bool,
    read_int,
)
from interpreter.planning.choosing import scheduler_of
from interpreter.planning.drafts import Draft
from interpreter.planning.plan import Candidate, Pass
from interpreter.scheduler import (
    Assumed,
    Attempt,
    Fleet,
    Outcome,
    Scheduler,
    Try,
    Workloads,
    apply,
    reconcile,
)

#: A plan has no clock. The time only stands in fields that nothing here compares with another.
_NOW = "1970-01-01T00:00:00Z"


class Scheduling:
    """One scheduler over one fleet, for all bindings of a plan."""

    def __init__(
        self,
        fleet: Fleet,
        *,
        gates: Mapping[str, bool],
        parts: SchedulerParts,
        bindings: Sequence[JsonObject],
    ) -> None:
        """Takes the fleet, what plugins bring, and the bindings that exist beside the drafts.

        Raises:
            PluginError: A plugin's filter, score or estimator is none.
        """
        self._gates = {**DEFAULT_GATES, **gates}
        self._scheduler = Scheduler(
            fleet,
            feature_gates=self._gates,
            filters=parts.filters,
            scores=parts.scores,
            estimators=parts.estimators,
        )
        self._grouped = gate_is_on(gates, "WorkloadAffinity")
        self._protects = gate_is_on(gates, "SchedulingOvercommitProtection")
        self._assumed: list[Assumed] = []
        self._others = list(bindings)

    def order(self, drafts: Sequence[Draft]) -> list[Draft]:
        """Drafts in the order of scheduling: the larger priority first, then as given."""
        return sorted(drafts, key=_priority, reverse=True)

    def schedule(self, draft: Draft) -> None:
        """Schedules the binding of a draft, if it has to be.

        Raises:
            SchedulingError: There is no schedule; what was found out on the way is in the draft.
            InvalidObject: A field of the binding has the wrong type.
            PluginError: A plugin failed.
        """
        binding = draft.binding
        if binding is None or draft.policy is None:
            return
        if read_bool(map_at(binding, "spec", "suspension"), "scheduling", "spec.suspension"):
            draft.note("its scheduling is suspended: clusters stay as they are")
            return
        other = scheduler_of(draft.policy.obj)
        if other:
            draft.note(f"asks for the scheduler {other}; planned as the default one would do it")
        workloads = Workloads(self._others) if self._is_grouped(binding) else None
        outcome = reconcile(
            self._scheduler, binding, workloads=workloads, assumed=tuple(self._assumed)
        )
        draft.trigger = "" if outcome.trigger is None else outcome.trigger.value
        draft.passes = tuple(self._pass(binding, each, workloads) for each in outcome.tries)
        draft.binding = apply(binding, outcome, now=_NOW)
        if self._is_grouped(binding):
            self._others.append(draft.binding)
        if self._protects:
            self._assume(draft.binding)
        error = _error(outcome)
        if error is not None:
            raise error

    def _is_grouped(self, binding: JsonObject) -> bool:
        return self._grouped and bool(map_at(binding, "spec", "workloadAffinityGroups"))

    def _assume(self, binding: JsonObject) -> None:
        spec = map_or_empty(binding, "spec")
        for target in spec.get("clusters") or ():
            component = {"name": "", "replicas": target.get("replicas", 0)}
            if spec.get("replicaRequirements"):
                component["replicaRequirements"] = spec["replicaRequirements"]
            components = [component] if component["replicas"] else spec.get("components") or []
            self._assumed.append(Assumed(target["name"], components))

    def _pass(self, binding: JsonObject, tried: Try, workloads: Workloads | None) -> Pass:
        attempt = self._scheduler.explain(
            binding,
            observed=tried.affinity,
            workloads=workloads,
            assumed=tuple(self._assumed),
        )
        targets = tried.targets
        return Pass(
            term=tried.affinity,
            rejected=attempt.rejected,
            candidates=_candidates(binding, attempt),
            groups={
                field: {name: group.score for name, group in groups.items()}
                for field, groups in attempt.groups.items()
            },
            result=None
            if targets is None
            else tuple((target.name, target.replicas) for target in targets),
            error=tried.error,
        )


def _candidates(binding: JsonObject, attempt: Attempt) -> tuple[Candidate, ...]:
    found = attempt.candidates
    if found is None:
        return ()
    spec = map_or_empty(binding, "spec")
    counted = bool(spec.get("replicas") or spec.get("components"))
    chosen = frozenset(attempt.selected.names) if attempt.selected is not None else frozenset()
    return tuple(
        Candidate(name, score, available if counted else None, name in chosen, tier)
        for name, score, available, tier in zip(
            found.names, found.scores, found.available, found.tiers, strict=True
        )
    )


def _error(outcome: Outcome) -> SchedulingError | None:
    """Why there is no schedule: the first term's error decides, as it does for the condition."""
    if outcome.error is not None:
        return outcome.error
    if outcome.condition is not None and outcome.condition["status"] == "False":
        return outcome.tries[0].error
    return None


def _priority(draft: Draft) -> int:
    if draft.binding is None:
        return 0
    return read_int(map_at(draft.binding, "spec", "schedulePriority"), "priority") or 0
