"""What the pipeline asks a resource interpreter, and when.

It asks ``hook_enabled`` first and treats "no" as "this kind has no such rule". Native components
exist for callers; the pipeline takes components only from a tier above native, otherwise kinds
whose replicas the scheduler divides would be scaled by nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from interpreter.api.gates import gate_is_on
from interpreter.api.operation import Operation
from interpreter.api.results import (
    Component,
    DependentObjectReference,
    ReplicaRequirements,
    ReplicaResult,
)
from interpreter.machinery.gvk import GVK, gvk_of
from interpreter.machinery.unstructured import (
    JsonObject,
    map_at,
    namespace_of,
    read_str,
)

#: Tiers whose components are not for the pipeline.
_TIERS_WITHOUT_COMPONENTS = frozenset({"native", "generic"})


class Interpreter(Protocol):
    """The part of ``ResourceInterpreter`` that policies, bindings and dependencies need."""

    def hook_enabled(self, gvk: GVK, operation: Operation) -> bool:
        """Whether there is a rule for the operation of a kind."""

    def claims(self, gvk: GVK, operation: Operation) -> Sequence[Any]:
        """Everybody who claims an operation of a kind (``Candidate`` of the registry)."""

    def get_replicas(self, obj: JsonObject) -> ReplicaResult:
        """How many replicas the object wants, and what each needs."""

    def get_components(self, obj: JsonObject) -> list[Component]:
        """The parts of an object with several pod templates."""

    def get_dependencies(self, obj: JsonObject) -> list[DependentObjectReference]:
        """Objects that must travel with this one."""


def uses_components(gvk: GVK, *, interpreter: Interpreter, gates: Mapping[str, bool]) -> bool:
    """Whether objects of a kind are scheduled by their components instead of by replicas.

    That needs the gate ``MultiplePodTemplatesScheduling`` and a component rule from a tier above
    native.
    """
    return gate_is_on(gates, "MultiplePodTemplatesScheduling") and any(
        candidate.skipped is None
        and candidate.implementation.counted
        and candidate.implementation.tier not in _TIERS_WITHOUT_COMPONENTS
        for candidate in interpreter.claims(gvk, Operation.GET_COMPONENTS)
    )


def workload(
    template: JsonObject, *, interpreter: Interpreter, gates: Mapping[str, bool]
) -> JsonObject:
    """What a template wants to run, as fields of a binding's ``spec``.

    ``replicas`` and ``replicaRequirements``, or ``components``; with exactly one component both,
    so that everything that knows replicas only works with it. Empty for a kind without pods.

    Args:
        template: The template.
        interpreter: Who knows its kind.
        gates: Feature gates that are on or off; others have their default.

    Raises:
        InterpreterError: The template is invalid, or who answers failed.
    """
    gvk = gvk_of(template)
    if uses_components(gvk, interpreter=interpreter, gates=gates):
        components = interpreter.get_components(template)
        if len(components) != 1:
            return {"components": [each.to_dict() for each in components]} if components else {}
        (only,) = components
        replicas = _replicas(template, only.replicas, only.replica_requirements, gates)
        return {"components": [only.to_dict()], **replicas}
    if interpreter.hook_enabled(gvk, Operation.GET_REPLICAS):
        answer = interpreter.get_replicas(template)
        return _replicas(template, answer.replicas, answer.requirements, gates)
    return {}


def _replicas(
    template: JsonObject,
    replicas: int,
    needs: ReplicaRequirements | None,
    gates: Mapping[str, bool],
) -> JsonObject:
    fields: JsonObject = {"replicas": replicas} if replicas else {}
    if needs is not None:
        fields["replicaRequirements"] = _requirements(template, needs, gates)
    return fields


def _requirements(
    template: JsonObject, needs: ReplicaRequirements, gates: Mapping[str, bool]
) -> JsonObject:
    """Requirements; with the gate ``ResourceQuotaEstimate``, what a quota is looked up by too."""
    shown = needs.to_dict()
    if gate_is_on(gates, "ResourceQuotaEstimate"):
        if namespace_of(template):
            shown["namespace"] = namespace_of(template)
        name = needs.priority_class_name or _priority_class(template)
        if name:
            shown["priorityClassName"] = name
    return shown


def _priority_class(template: JsonObject) -> str:
    """Priority class of the pods: of a Pod itself, or of the pod template where most kinds have it.

    Other kinds state it in what their interpreter answers.
    """
    if read_str(template, "kind") == "Pod":
        return read_str(map_at(template, "spec"), "priorityClassName", "spec")
    pod = map_at(template, "spec", "template", "spec")
    return read_str(pod, "priorityClassName", "spec.template.spec")
