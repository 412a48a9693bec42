"""The methods of an interpreter, whoever answers: one in this process, or one behind a service."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import Component, DependentObjectReference, Health, ReplicaResult
from interpreter.errors import ConfigurationError
from interpreter.machinery.unstructured import JsonObject, JsonValue
from interpreter.operations import OPERATIONS, REQUIRED, parse_operation


def arguments_of(operation: Operation, obj: JsonObject, inputs: dict[str, Any]) -> tuple[Any, ...]:
    """All arguments of an operation in their order.

    Args:
        operation: The operation.
        obj: The object that names the kind.
        inputs: The arguments behind it, by name.

    Raises:
        ConfigurationError: An argument is missing, or not one of the operation's.
    """
    arguments: list[Any] = [obj]
    left = dict(inputs)
    for argument in OPERATIONS[operation].inputs:
        value = left.pop(argument.name, argument.default)
        if value is REQUIRED:
            raise ConfigurationError(f"{operation} needs {argument.name}")
        arguments.append(value)
    if left:
        raise ConfigurationError(f"{operation} does not take {', '.join(sorted(left))}")
    return tuple(arguments)


class Interpreting(ABC):
    """The operations, one method each.

    Objects are plain dicts; they are never changed, and results share nothing with them.
    """

    @abstractmethod
    def _call(
        self, operation: Operation, arguments: tuple[Any, ...], context: HookContext | None
    ) -> Any:
        """The answer to an operation.

        Args:
            operation: The operation.
            arguments: All of its arguments in their order.
            context: Facts for hooks.
        """

    def get_replicas(self, obj: JsonObject, *, context: HookContext | None = None) -> ReplicaResult:
        """How many replicas the object wants, and what each needs.

        Raises:
            NoInterpreter: Nobody interprets this kind.
            InterpreterError: The object is invalid, or who answers failed.
        """
        return self._call(Operation.GET_REPLICAS, (obj,), context)  # type: ignore[no-any-return]

    def revise_replica(
        self, obj: JsonObject, replicas: int, *, context: HookContext | None = None
    ) -> JsonObject:
        """The object with ``replicas`` (0..2^31-1) written in; errors as :meth:`get_replicas`."""
        return self._call(Operation.REVISE_REPLICA, (obj, replicas), context)  # type: ignore[no-any-return]

    def get_components(
        self, obj: JsonObject, *, context: HookContext | None = None
    ) -> list[Component]:
        """The parts of an object with several pod templates; errors as :meth:`get_replicas`."""
        return self._call(Operation.GET_COMPONENTS, (obj,), context)  # type: ignore[no-any-return]

    def retain(
        self, desired: JsonObject, observed: JsonObject, *, context: HookContext | None = None
    ) -> JsonObject:
        """``desired`` with the member cluster's own fields of ``observed``.

        Errors as :meth:`get_replicas`.
        """
        return self._call(Operation.RETAIN, (desired, observed), context)  # type: ignore[no-any-return]

    def aggregate_status(
        self,
        obj: JsonObject,
        items: list[JsonObject] | None,
        *,
        context: HookContext | None = None,
    ) -> JsonObject:
        """The object with member statuses (AggregatedStatusItem) folded in.

        Errors as :meth:`get_replicas`.
        """
        return self._call(Operation.AGGREGATE_STATUS, (obj, items), context)  # type: ignore[no-any-return]

    def reflect_status(self, obj: JsonObject, *, context: HookContext | None = None) -> JsonValue:
        """The status to collect from a member's object.

        None for nothing to report, also when nobody answers.
        """
        return self._call(Operation.REFLECT_STATUS, (obj,), context)

    def interpret_health(self, obj: JsonObject, *, context: HookContext | None = None) -> Health:
        """How the object fares; errors as :meth:`get_replicas`."""
        return self._call(Operation.INTERPRET_HEALTH, (obj,), context)  # type: ignore[no-any-return]

    def get_dependencies(
        self, obj: JsonObject, *, context: HookContext | None = None
    ) -> list[DependentObjectReference]:
        """Objects that must travel with this one; errors as :meth:`get_replicas`."""
        return self._call(Operation.GET_DEPENDENCIES, (obj,), context)  # type: ignore[no-any-return]

    def prune(
        self,
        obj: JsonObject,
        *,
        remove_job_ttl: bool = False,
        context: HookContext | None = None,
    ) -> JsonObject:
        """The template as packed into a Work. Where nobody answers it is a copy of the object.

        Args:
            obj: The template.
            remove_job_ttl: Whether a Job loses ``ttlSecondsAfterFinished`` too.
            context: Facts for hooks.
        """
        return self._call(Operation.PRUNE, (obj, remove_job_ttl), context)  # type: ignore[no-any-return]

    def call(
        self,
        operation: Operation,
        obj: JsonObject,
        *,
        context: HookContext | None = None,
        **inputs: Any,
    ) -> Any:
        """Any operation by name, for callers that loop over them.

        Args:
            operation: The operation.
            obj: The object that names the kind: the template, or the member's object.
            context: Facts for hooks.
            **inputs: The operation's arguments behind the object, by name: ``replicas``,
                ``observed``, ``items`` or ``remove_job_ttl``.

        Raises:
            ConfigurationError: An argument is missing, or not one of the operation's.
            InterpreterError: As the operation's own method.
        """
        operation = parse_operation(operation)
        return self._call(operation, arguments_of(operation, obj, inputs), context)
