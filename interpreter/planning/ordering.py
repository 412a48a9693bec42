"""Answers in an order that is the same in every process.

Keys of what a script answers stand in no order: it differs from process to process. A plan is the
same each time, so it orders what it is told: as in the object asked about, the rest sorted.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Protocol, cast

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import (
    Component,
    DependentObjectReference,
    ReplicaRequirements,
    ReplicaResult,
)
from interpreter.machinery.gvk import gvk_of
from interpreter.machinery.unstructured import JsonObject, ordered_like
from interpreter.planning.packing import WorksInterpreter
from interpreter.propagation import Interpreter


class PlanInterpreter(Interpreter, WorksInterpreter, Protocol):
    """The part of ``ResourceInterpreter`` that a plan needs."""


def in_one_order(interpreter: PlanInterpreter) -> PlanInterpreter:
    """The same interpreter, with the keys of its answers in one order."""
    return cast("PlanInterpreter", _OrderedAnswers(interpreter))


class _OrderedAnswers:
    """Orders what a plan asks for; answers of built-in code have their order already."""

    def __init__(self, interpreter: PlanInterpreter) -> None:
        self._asked = interpreter

    def __getattr__(self, name: str) -> Any:
        """Everything else is the interpreter's own."""
        return getattr(self._asked, name)

    def get_replicas(self, obj: JsonObject) -> ReplicaResult:
        """How many replicas the object wants, and what each needs."""
        answer = self._asked.get_replicas(obj)
        if self._has_order(obj, Operation.GET_REPLICAS):
            return answer
        return dataclasses.replace(answer, requirements=_sorted(answer.requirements))

    def get_components(self, obj: JsonObject) -> list[Component]:
        """The parts of an object with several pod templates."""
        answer = self._asked.get_components(obj)
        if self._has_order(obj, Operation.GET_COMPONENTS):
            return answer
        return [
            dataclasses.replace(each, replica_requirements=_sorted(each.replica_requirements))
            for each in answer
        ]

    def get_dependencies(self, obj: JsonObject) -> list[DependentObjectReference]:
        """Objects that must travel with this one."""
        answer = self._asked.get_dependencies(obj)
        if self._has_order(obj, Operation.GET_DEPENDENCIES):
            return answer
        return [
            each._replace(label_selector=_like(each.label_selector, {}))
            if each.label_selector is not None
            else each
            for each in answer
        ]

    def revise_replica(
        self, obj: JsonObject, replicas: int, *, context: HookContext | None = None
    ) -> JsonObject:
        """The object with a number of replicas."""
        answer = self._asked.revise_replica(obj, replicas, context=context)
        return answer if self._has_order(obj, Operation.REVISE_REPLICA) else _like(answer, obj)

    def prune(
        self, obj: JsonObject, *, remove_job_ttl: bool = False, context: HookContext | None = None
    ) -> JsonObject:
        """The object as it is packed into a Work."""
        answer = self._asked.prune(obj, remove_job_ttl=remove_job_ttl, context=context)
        return answer if self._has_order(obj, Operation.PRUNE) else _like(answer, obj)

    def _has_order(self, obj: JsonObject, operation: Operation) -> bool:
        return self._asked.built_in(gvk_of(obj), operation)


def _like(answer: JsonObject, model: JsonObject) -> JsonObject:
    return cast("JsonObject", ordered_like(answer, model))


def _sorted(needs: ReplicaRequirements | None) -> ReplicaRequirements | None:
    return None if needs is None else ReplicaRequirements.from_dict(_like(needs.to_dict(), {}))
