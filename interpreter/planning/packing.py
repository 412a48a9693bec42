"""Works of scheduled templates, as cells of the matrix."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Protocol

from interpreter.api import marks
from interpreter.api.operation import Operation
from interpreter.errors import InvalidObject
from interpreter.machinery.affinity import Affinity
from interpreter.machinery.derived_names import cluster_of_execution_space
from interpreter.machinery.gvk import GVK, gvk_of
from interpreter.machinery.unstructured import (
    JsonObject,
    map_at,
    map_or_empty,
    namespace_of,
    objects_at,
    read_count,
    read_str,
)
from interpreter.planning.drafts import Draft
from interpreter.planning.plan import Change, Placement
from interpreter.propagation import (
    MemberInterpreter,
    OverrideIndex,
    PlannedWork,
    reconcile_binding,
    targets_of,
)
from interpreter.propagation.marking import text_label
from interpreter.propagation.overrides import AppliedOverride
from interpreter.propagation.works_packing import binding_id_label
from interpreter.propagation.works_targets import divides_replicas, is_workload, scheduled

#: Operations that make Works.
_OF_WORKS = (Operation.REVISE_REPLICA, Operation.PRUNE)
_NAMED = {
    "imageOverrider": "image",
    "commandOverrider": "command",
    "argsOverrider": "args",
    "labelsOverrider": "labels",
    "annotationsOverrider": "annotations",
}


class WorksInterpreter(MemberInterpreter, Protocol):
    """The part of ``ResourceInterpreter`` that Works need."""

    def built_in(self, gvk: GVK, operation: Operation) -> bool:
        """Whether only native and generic code can answer, which does not look at clusters."""


class Packing:
    """Turns bindings into Works."""

    def __init__(
        self,
        *,
        clusters: Mapping[str, JsonObject],
        overrides: Sequence[JsonObject],
        works: Sequence[JsonObject],
        interpreter: WorksInterpreter,
        gates: Mapping[str, bool],
    ) -> None:
        """Takes what all bindings have in common.

        Raises:
            InvalidObject: An override policy has a field of the wrong type.
        """
        self._clusters, self._gates = clusters, gates
        self._overrides = OverrideIndex(overrides)
        self._works: dict[str, list[JsonObject]] = defaultdict(list)
        for work in works:
            for label in (marks.BINDING_ID, marks.CLUSTER_BINDING_ID):
                if text_label(work, label):
                    self._works[text_label(work, label)].append(work)
        self._interpreter = interpreter
        self._alikes: dict[tuple[Affinity, ...], dict[int, Hashable]] = {}
        self._changes: dict[tuple[str, int], Change] = {}

    def pack(self, draft: Draft, requirers: Mapping[str, tuple[str, ...]]) -> None:
        """Fills in where a template lands.

        Args:
            draft: The template, scheduled, with its dependencies attached.
            requirers: For whom it goes to clusters, by cluster.

        Raises:
            InterpreterError: Nothing can be said of any cluster.
        """
        binding = draft.binding
        if binding is None:
            return
        works = self._works.get(text_label(binding, binding_id_label(binding)), ())
        outcome = reconcile_binding(
            binding,
            template=draft.template,
            works=works,
            clusters=self._clusters,
            overrides=self._overrides,
            interpreter=self._interpreter,
            gates=self._gates,
            alike=self._alike(draft.template),
        )
        draft.removed = tuple(cluster_of_execution_space(key.namespace) for key in outcome.delete)
        if outcome.note is not None and works:
            draft.note(outcome.note)
        for cluster, error in outcome.ensured.errors:
            draft.fail("works", error, cluster)
        packed = {work.cluster: work for work in outcome.ensured.works}
        sized = is_workload(binding) and len(binding["spec"].get("components") or ()) <= 1
        if sized:
            self._note_unwritten(draft, binding)
        own = {target.cluster for target in scheduled(binding)} if requirers else frozenset()
        draft.placements = tuple(
            self._placement(
                draft,
                packed.get(target.cluster),
                cluster=target.cluster,
                replicas=target.replicas if sized else None,
                required_by=(
                    requirers.get(target.cluster, ())
                    if requirers and target.cluster not in own
                    else ()
                ),
            )
            for target in targets_of(binding)
        )
        for work in outcome.ensured.works:
            for text in work.notes:
                draft.note(text)

    def _note_unwritten(self, draft: Draft, binding: JsonObject) -> None:
        """Notes that shares of the replicas are in no Work, where no rule writes them."""
        if self._interpreter.hook_enabled(gvk_of(draft.template), Operation.REVISE_REPLICA):
            return
        wanted = read_count(map_or_empty(binding, "spec"), "replicas", "spec") or 0
        if any(target.replicas != wanted for target in scheduled(binding)):
            draft.note(
                f"no rule writes replicas into {draft.template['kind']} (ReviseReplica): each "
                f"cluster runs the template's {wanted}, whatever its share"
            )

    def _alike(self, template: JsonObject) -> Callable[[JsonObject], Hashable] | None:
        """What Works of a template differ by; None where somebody may look at the cluster."""
        gvk = gvk_of(template)
        if not all(self._interpreter.built_in(gvk, operation) for operation in _OF_WORKS):
            return None
        targets = self._overrides.targets(template)
        known = self._alikes.setdefault(targets, {})

        def matched(cluster: JsonObject) -> Hashable:
            # Clusters belong to the plan: their identity is theirs.
            found = known.get(id(cluster))
            if found is None:
                found = known[id(cluster)] = tuple(each.matches(cluster) for each in targets)
            return found

        return matched

    def _placement(
        self,
        draft: Draft,
        packed: PlannedWork | None,
        *,
        cluster: str,
        replicas: int | None,
        required_by: tuple[str, ...],
    ) -> Placement:
        work = None if packed is None else packed.work
        return Placement(
            cluster=cluster,
            replicas=replicas,
            completions=None if work is None else _completions(draft, work),
            before=draft.before.get(cluster),
            required_by=required_by,
            changes=() if packed is None else self._applied(draft, packed),
            suspended=work is not None and bool(work["spec"].get("suspendDispatching")),
            work=work,
        )

    def _applied(self, draft: Draft, packed: PlannedWork) -> tuple[Change, ...]:
        if not packed.cluster_overrides and not packed.overrides:
            return ()
        namespace = namespace_of(draft.template)
        return (
            *(
                self._change(f"ClusterOverridePolicy {each.policy}", each)
                for each in packed.cluster_overrides
            ),
            *(
                self._change(f"OverridePolicy {namespace}/{each.policy}", each)
                for each in packed.overrides
            ),
        )

    def _change(self, policy: str, applied: AppliedOverride) -> Change:
        # Overriders belong to the index, which lives as long as this: their identity is theirs.
        key = policy, id(applied.overriders)
        known = self._changes.get(key)
        if known is None:
            known = Change(policy, applied.overriders, _summary(applied.overriders))
            self._changes[key] = known
        return known


def _completions(draft: Draft, work: JsonObject) -> int | None:
    """Completions of a Job in a cluster, where clusters share them."""
    template = draft.template
    if template.get("kind") != "Job" or draft.binding is None:
        return None
    if map_or_empty(template, "spec").get("completions") is None:
        return None
    if not divides_replicas(draft.binding):
        return None
    count = map_at(work["spec"]["workload"]["manifests"][0], "spec").get("completions")
    return count if isinstance(count, int) else None


def _summary(overriders: JsonObject) -> str:
    """What overriders do, on one line."""
    told: list[str] = []
    for group in overriders:
        try:
            entries = objects_at(overriders, group)
            told.extend(_told(group, each or {}) for each in entries)
        except InvalidObject:
            continue  # applying it said what is wrong
    return ", ".join(dict.fromkeys(told))


def _told(group: str, each: JsonObject) -> str:
    operator = read_str(each, "operator")
    if group == "imageOverrider":
        value = read_str(each, "value")
        told = f"image {read_str(each, 'component').lower()} {operator}"
        return f"{told} {value}" if value else told
    if group in ("labelsOverrider", "annotationsOverrider"):
        return f"{_NAMED[group]} {operator} {', '.join(map_or_empty(each, 'value'))}".rstrip()
    if group in ("commandOverrider", "argsOverrider"):
        return f"{_NAMED[group]} of {read_str(each, 'containerName')} {operator}"
    if group == "plaintext":
        return f"{operator} {read_str(each, 'path')}"
    return f"inside {read_str(each, 'fieldPath')}"
