"""The pipeline over given objects: policy, binding, schedule, dependencies, overrides, Works.

A template that fails stops no other; what failed is part of the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from interpreter.api.gates import gate_is_on
from interpreter.api.scheduling import SchedulerParts
from interpreter.errors import InterpreterError
from interpreter.machinery.gvk import gvk_of
from interpreter.machinery.unstructured import (
    JsonObject,
    name_of,
    objects_at,
    read_count,
    read_str,
)
from interpreter.manifests import Manifest
from interpreter.planning.capacity import cluster_plans, missing_facts
from interpreter.planning.choosing import Policies
from interpreter.planning.drafts import Draft
from interpreter.planning.following import Following
from interpreter.planning.inputs import Inputs
from interpreter.planning.ordering import PlanInterpreter, in_one_order
from interpreter.planning.packing import Packing
from interpreter.planning.plan import Note, Plan, PlanError, State, reference
from interpreter.planning.preparing import (
    admitted_binding,
    admitted_override,
    admitted_policy,
    prepared_template,
    uids_of,
)
from interpreter.planning.scheduling import Scheduling
from interpreter.propagation import (
    OverrideIndex,
    PolicyIndex,
    key_of,
    resource_of,
)
from interpreter.propagation.bindings import priority_values
from interpreter.propagation.marking import ObjectKey
from interpreter.scheduler import Fleet

#: Called with how many steps are done, and how many there are.
Progress = Callable[[int, int], None]

_STAGES = 4
#: Kinds that are part of every plan's inputs, and of its matrix only where a policy selects them.
_BACKGROUND = frozenset({"CustomResourceDefinition", "Namespace"})


def make_plan(
    inputs: Inputs,
    *,
    interpreter: PlanInterpreter,
    gates: Mapping[str, bool] | None = None,
    parts: SchedulerParts | None = None,
    strict_clusters: bool = False,
    progress: Progress | None = None,
) -> Plan:
    """Plans what lands where.

    Args:
        inputs: The given objects by role.
        interpreter: Who knows the templates' kinds; it has the inputs' customizations.
        gates: Feature gates that are on or off; others have their default.
        parts: What plugins bring for the scheduler.
        strict_clusters: Whether a cluster that states no APIs accepts none, and one without a
            resource summary takes no replica; else both are unknown, and noted.
        progress: Told how far it is.
    """
    planner = _Planner(inputs, gates=gates or {}, strict=strict_clusters, progress=progress)
    return planner.run(in_one_order(interpreter), parts or SchedulerParts())


class _Planner:
    """One plan in the making."""

    def __init__(
        self,
        inputs: Inputs,
        *,
        gates: Mapping[str, bool],
        strict: bool,
        progress: Progress | None,
    ) -> None:
        self._gates = gates
        self._errors = list(inputs.errors)
        self._notes = list(dict.fromkeys(inputs.notes))
        self._policies = self._admitted(inputs.policies, _checked_policy)
        self._overrides = self._admitted(inputs.overrides, _checked_override)
        self._bindings = self._admitted(inputs.bindings, admitted_binding)
        self._works = [manifest.obj for manifest in inputs.works]
        self._fleet = self._read_fleet(inputs.clusters, strict=strict)
        self._drafts = self._read_templates(inputs.templates)
        self._progress = progress
        self._done = 0

    def run(self, interpreter: PlanInterpreter, parts: SchedulerParts) -> Plan:
        """All stages, one after the other, each for all templates."""
        classes = [each for each in self._drafts if each.template["kind"] == "PriorityClass"]
        for draft in classes:
            _attempt("input", draft, _check_class)
        policies = Policies(
            policies=self._policies,
            overrides=self._overrides,
            priority_classes=[each.template for each in classes if not each.errors],
            bindings=self._bindings,
            interpreter=interpreter,
            gates=self._gates,
        )
        try:
            policies.preempt(self._drafts)
        except InterpreterError as error:
            self._errors.append(PlanError("preemption", "policy", error))
        self._stage("policy", self._drafts, policies.choose)
        own = {key_of(each.binding) for each in self._drafts if each.binding is not None}
        others = [each for each in self._bindings if key_of(each) not in own]
        scheduling = Scheduling(self._fleet, gates=self._gates, parts=parts, bindings=others)
        self._stage("schedule", scheduling.order(self._drafts), scheduling.schedule)
        following = Following(
            self._drafts, bindings=others, interpreter=interpreter, gates=self._gates
        )
        self._stage("dependencies", self._drafts, following.attach)
        packing = Packing(
            clusters={name: self._fleet.get(name) or {} for name in self._fleet.names()},
            overrides=self._overrides,
            works=self._works,
            interpreter=interpreter,
            gates=self._gates,
        )
        self._stage(
            "works", self._drafts, lambda draft: packing.pack(draft, following.requirers(draft))
        )
        return self._finished()

    def _stage(self, step: str, drafts: Sequence[Draft], run: Callable[[Draft], None]) -> None:
        for draft in drafts:
            _attempt(step, draft, run)
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, _STAGES * len(self._drafts))

    def _finished(self) -> Plan:
        templates = tuple(
            each.finished()
            for each in self._drafts
            if each.state is not State.UNSELECTED or each.template["kind"] not in _BACKGROUND
        )
        clusters = [self._fleet.get(name) or {} for name in sorted(self._fleet.names())]
        plans, crowded = cluster_plans(clusters, templates)
        return Plan(
            clusters=plans,
            templates=templates,
            notes=(*self._notes, *crowded),
            errors=tuple(self._errors),
            gates=dict(self._gates),
        )

    def _admitted(
        self, manifests: Iterable[Manifest], admit: Callable[[JsonObject], JsonObject]
    ) -> list[JsonObject]:
        """Objects as admission leaves them; those that it refuses become errors."""
        found = []
        for manifest in manifests:
            try:
                found.append(admit(manifest.obj))
            except InterpreterError as error:
                self._fail(reference(manifest.obj), manifest, error)
        return found

    def _fail(self, about: str, manifest: Manifest, error: InterpreterError) -> None:
        error.annotate(source=manifest.where)
        self._errors.append(PlanError(about, "input", error, manifest.where))

    def _read_fleet(self, clusters: Iterable[Manifest], *, strict: bool) -> Fleet:
        models = gate_is_on(self._gates, "CustomizedClusterResourceModeling")
        fleet = Fleet(lenient=not strict, models=models)
        # In the order of names, so that the order of files decides nothing.
        for manifest in sorted(clusters, key=lambda each: name_of(each.obj)):
            try:
                fleet.set(manifest.obj)
            except InterpreterError as error:
                error.source = None  # its place says more than its name
                self._fail(f"cluster {name_of(manifest.obj)}", manifest, error)
                continue
            if not strict:
                self._notes.extend(missing_facts(manifest.obj))
        return fleet

    def _read_templates(self, manifests: Iterable[Manifest]) -> list[Draft]:
        uids = uids_of(self._bindings)
        existing = {resource_of(each): each for each in self._bindings}
        drafts = []
        for manifest in manifests:
            try:
                key = key_of(manifest.obj)
                gvk_of(manifest.obj)
                template = prepared_template(manifest.obj, uids, key)
            except InterpreterError as error:
                self._fail(reference(manifest.obj), manifest, error)
                continue
            binding = existing.pop(key, None)
            before = {} if binding is None else _scheduled(binding)
            drafts.append(
                Draft(template=template, source=manifest.where, binding=binding, before=before)
            )
        for key, binding in existing.items():
            self._notes.append(
                Note(reference(binding), f"{_shown(key)}, its template, is not among the inputs")
            )
        return drafts


def _attempt(step: str, draft: Draft, run: Callable[[Draft], None]) -> None:
    try:
        run(draft)
    except InterpreterError as error:
        draft.fail(step, error)


def _check_class(draft: Draft) -> None:
    priority_values([draft.template])


def _scheduled(binding: JsonObject) -> dict[str, int]:
    """Replicas by cluster that a binding has."""
    return {
        read_str(each or {}, "name"): read_count(each or {}, "replicas") or 0
        for each in objects_at(binding["spec"], "clusters", "spec")
    }


def _checked_policy(policy: JsonObject) -> JsonObject:
    admitted = admitted_policy(policy)
    PolicyIndex([admitted])
    return admitted


def _checked_override(policy: JsonObject) -> JsonObject:
    admitted = admitted_override(policy)
    OverrideIndex([admitted])
    return admitted


def _shown(key: ObjectKey) -> str:
    return f"{key.kind} {key.namespace}/{key.name}" if key.namespace else f"{key.kind} {key.name}"
