"""Dependencies: what travels with templates that policies place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.api.gates import gate_is_on
from interpreter.api.results import DependentObjectReference
from interpreter.errors import InterpreterError
from interpreter.machinery.unstructured import (
    JsonObject,
    map_or_empty,
    namespace_of,
    objects_at,
    read_bool,
)
from interpreter.planning.drafts import Draft
from interpreter.planning.plan import Dependency, reference
from interpreter.planning.preparing import admitted_binding
from interpreter.propagation import (
    Interpreter,
    Stock,
    binding_key,
    reconcile_dependencies,
    recorded_dependencies,
    resource_of,
)
from interpreter.propagation.marking import ObjectKey


class Following:
    """Attaches dependencies; bindings of drafts are replaced by newer states on the way."""

    def __init__(
        self,
        drafts: Sequence[Draft],
        *,
        bindings: Sequence[JsonObject],
        interpreter: Interpreter,
        gates: Mapping[str, bool],
    ) -> None:
        """Takes scheduled drafts, and existing bindings beside theirs."""
        self._drafts = {draft.key: draft for draft in drafts}
        self._by_binding = {binding_key(draft.template): draft for draft in drafts}
        self._interpreter = interpreter
        self._on = gate_is_on(gates, "PropagateDeps")
        self._stock = Stock(
            objects=[draft.template for draft in drafts],
            bindings=[
                *bindings,
                *(draft.binding for draft in drafts if draft.binding is not None),
            ],
        )

    def attach(self, draft: Draft) -> None:
        """Attaches what a template depends on to its schedule.

        Raises:
            InterpreterError: Its dependencies cannot be found out.
        """
        binding = draft.binding
        if not self._on or binding is None or draft.policy is None:
            return
        if not namespace_of(binding):
            # As in Karmada, whose distributor of dependencies looks at ResourceBindings only.
            if read_bool(binding["spec"], "propagateDeps"):
                draft.note("dependencies of cluster-scoped objects do not travel with them")
            return
        outcome = reconcile_dependencies(
            binding, draft.template, self._stock, interpreter=self._interpreter
        )
        for changed in outcome.bindings.values():
            self._put(admitted_binding(changed))
        for event in outcome.events:
            draft.note(event.message)
        for error in outcome.errors:
            draft.fail("dependencies", error)
        if draft.binding is not None and read_bool(draft.binding["spec"], "propagateDeps"):
            self._tell(draft, recorded_dependencies(draft.binding) or ())

    def _put(self, binding: JsonObject) -> None:
        self._stock.store([binding])
        draft = self._drafts.get(resource_of(binding))
        if draft is not None:
            draft.binding = binding

    def _tell(self, draft: Draft, references: Sequence[DependentObjectReference]) -> None:
        found = []
        for each in references:
            try:
                objects = tuple(reference(obj) for obj in self._stock.find(each))
            except InterpreterError:
                objects = ()  # attaching it failed with the same error, which is noted
            shown = _shown(each)
            if not objects:
                draft.note(f"depends on {shown}, which is not among the inputs")
            found.append(Dependency(shown, objects))
        draft.dependencies = tuple(found)

    def requirers(self, draft: Draft) -> dict[str, tuple[str, ...]]:
        """For whom a template goes to clusters, by cluster."""
        found: dict[str, list[str]] = {}
        spec = map_or_empty(draft.binding or {}, "spec")
        for snapshot in objects_at(spec, "requiredBy", "spec"):
            requirer = self._requirer(snapshot or {})
            for target in objects_at(snapshot or {}, "clusters", "spec.requiredBy"):
                found.setdefault((target or {}).get("name", ""), []).append(requirer)
        return {cluster: tuple(requirers) for cluster, requirers in found.items()}

    def _requirer(self, snapshot: JsonObject) -> str:
        namespace, name = snapshot.get("namespace", ""), snapshot.get("name", "")
        kind = "ResourceBinding" if namespace else "ClusterResourceBinding"
        draft = self._by_binding.get(ObjectKey("work.karmada.io/v1alpha2", kind, namespace, name))
        return draft.reference if draft is not None else f"{kind} {name}"


def _shown(each: DependentObjectReference) -> str:
    """A reference for people: ``Secret shop/token``, ``Secret shop/* (app=web)``."""
    name = each.name or "*"
    place = f"{each.namespace}/{name}" if each.namespace else name
    selector = ""
    if not each.name:
        labels = map_or_empty(each.label_selector or {}, "matchLabels")
        told = ",".join(f"{key}={value}" for key, value in labels.items())
        selector = f" ({told or 'by label'})"
    return f"{each.kind} {place}{selector}"
