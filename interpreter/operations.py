"""ONE table of the operations: their names everywhere, their arguments and their results.

Engines, the facade, commands and documents loop over ``OPERATIONS``; nobody writes a ladder of
comparisons.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpreter.api.operation import Operation
from interpreter.api.results import (
    HEALTH_STATUSES,
    NO_STATUS,
    Component,
    DependentObjectReference,
    Health,
    ReplicaRequirements,
    ReplicaResult,
)
from interpreter.errors import ConfigurationError, InvalidObject, NoInterpreter
from interpreter.machinery.gvk import GVK
from interpreter.machinery.references import check_references
from interpreter.machinery.unstructured import INT32_MAX, is_integer


@dataclass(frozen=True, slots=True)
class OperationSpec:
    """One row of the table.

    Attributes:
        operation: The name in scripts, cases and commands.
        hook: Hook and facade method.
        arguments: Arguments of the hook without ``context``, in order; the first is the object that
            names the kind.
        reference_name: The name in webhook rules of ``config.karmada.io/v1alpha1``, None when it
            has no such hook.
        rule: Rule of a ResourceInterpreterCustomization, None when it has none.
        doc: One line for tables.
        accept: Turns what a plugin returned into the result type; raises InvalidObject otherwise.
        show: The result as JSON.
    """

    operation: Operation
    hook: str
    arguments: tuple[str, ...]
    reference_name: str | None
    rule: str | None
    doc: str
    accept: Callable[[Any], Any]
    show: Callable[[Any], Any]

    @property
    def returns_object(self) -> bool:
        """Whether the result is the object itself, edited."""
        return self.accept is _accept_object

    @property
    def lua_function(self) -> str | None:
        """Function that a script defines, None where no script can answer."""
        return self.operation.value if self.rule else None

    @property
    def rpc(self) -> str:
        """Method of the gRPC service."""
        return self.operation.value

    @property
    def script(self) -> str:
        """File name of a bundled script."""
        return f"{self.hook}.lua"


def _count(value: Any, path: str) -> int:
    if not is_integer(value):
        raise InvalidObject("must be an integer", path=path, value=value)
    if not 0 <= value <= INT32_MAX:
        raise InvalidObject("must be in 0..2147483647", path=path, value=value)
    return int(value)


def _accept_replicas(value: Any) -> ReplicaResult:
    if is_integer(value):
        return ReplicaResult(_count(value, "replicas"))
    if not isinstance(value, ReplicaResult):
        raise InvalidObject("must be a ReplicaResult or an integer", value=value)
    _count(value.replicas, "replicas")
    if value.requirements is not None and not isinstance(value.requirements, ReplicaRequirements):
        raise InvalidObject(
            "must be ReplicaRequirements or None", path="requirements", value=value.requirements
        )
    return value


def _accept_object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidObject("must be an object (a dict)", value=value)
    kind = value.get("kind")
    if not isinstance(kind, str) or not kind:
        raise InvalidObject("must be a non-empty string", path="kind", value=kind)
    return value


def _accept_list(value: Any, item_type: type) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise InvalidObject(f"must be a list of {item_type.__name__}", value=value)
    for index, item in enumerate(value):
        if not isinstance(item, item_type):
            raise InvalidObject(f"must be a {item_type.__name__}", path=f"[{index}]", value=item)
    return list(value)


def _accept_components(value: Any) -> list[Component]:
    components: list[Component] = _accept_list(value, Component)
    for index, component in enumerate(components):
        _count(component.replicas, f"[{index}].replicas")
    return components


def _accept_dependencies(value: Any) -> list[DependentObjectReference]:
    references: list[DependentObjectReference] = _accept_list(value, DependentObjectReference)
    check_references(references)
    return references


def _accept_health(value: Any) -> Health:
    if isinstance(value, bool):
        return Health("Healthy") if value else Health("Degraded", "Unhealthy")
    if not isinstance(value, Health):
        raise InvalidObject("must be a Health or a boolean", value=value)
    if value.status not in HEALTH_STATUSES:
        raise InvalidObject(
            f"must be one of {', '.join(HEALTH_STATUSES)}", path="status", value=value.status
        )
    return value


def _to_dict(value: Any) -> Any:
    return value.to_dict()


def _each_to_dict(values: list[Any]) -> list[Any]:
    return [value.to_dict() for value in values]


def _as_is(value: Any) -> Any:
    return value


def _show_status(value: Any) -> Any:
    return None if value is NO_STATUS else value


OPERATIONS: dict[Operation, OperationSpec] = {
    spec.operation: spec
    for spec in (
        OperationSpec(
            Operation.GET_REPLICAS,
            "get_replicas",
            ("obj",),
            "InterpretReplica",
            "replicaResource",
            "replica count and what each replica needs",
            _accept_replicas,
            _to_dict,
        ),
        OperationSpec(
            Operation.GET_COMPONENTS,
            "get_components",
            ("obj",),
            "InterpretComponent",
            "componentResource",
            "parts of an object with several pod templates",
            _accept_components,
            _each_to_dict,
        ),
        OperationSpec(
            Operation.REVISE_REPLICA,
            "revise_replica",
            ("obj", "replicas"),
            "ReviseReplica",
            "replicaRevision",
            "the object with another replica count",
            _accept_object,
            _as_is,
        ),
        OperationSpec(
            Operation.RETAIN,
            "retain",
            ("desired", "observed"),
            "Retain",
            "retention",
            "the object with the member cluster's own fields",
            _accept_object,
            _as_is,
        ),
        OperationSpec(
            Operation.AGGREGATE_STATUS,
            "aggregate_status",
            ("obj", "items"),
            "AggregateStatus",
            "statusAggregation",
            "the object with member statuses folded in",
            _accept_object,
            _as_is,
        ),
        OperationSpec(
            Operation.REFLECT_STATUS,
            "reflect_status",
            ("obj",),
            "InterpretStatus",
            "statusReflection",
            "the status that a member reports",
            _as_is,
            _show_status,
        ),
        OperationSpec(
            Operation.INTERPRET_HEALTH,
            "interpret_health",
            ("obj",),
            "InterpretHealth",
            "healthInterpretation",
            "how the object fares",
            _accept_health,
            _to_dict,
        ),
        OperationSpec(
            Operation.GET_DEPENDENCIES,
            "get_dependencies",
            ("obj",),
            "InterpretDependency",
            "dependencyInterpretation",
            "objects that travel with it",
            _accept_dependencies,
            _each_to_dict,
        ),
        OperationSpec(
            Operation.PRUNE,
            "prune",
            ("obj", "remove_job_ttl"),
            None,
            None,
            "the template as packed into a Work",
            _accept_object,
            _as_is,
        ),
    )
}


def _check_replicas(value: Any) -> int:
    """A replica count given by a caller."""
    if not is_integer(value) or not 0 <= value <= INT32_MAX:
        raise InvalidObject("must be an integer in 0..2147483647", path="replicas", value=value)
    return int(value)


def _check_observed(value: Any) -> Any:
    if not isinstance(value, dict):
        raise InvalidObject("must be an object", path="observed", value=value)
    return value


def _check_items(value: Any) -> Any:
    if value is not None and not isinstance(value, list):
        raise InvalidObject("must be a list of AggregatedStatusItem", path="items", value=value)
    return value


#: Checks of the arguments behind the object, by their name in hooks.
_ARGUMENT_CHECKS: dict[str, Callable[[Any], Any]] = {
    "observed": _check_observed,
    "items": _check_items,
    "replicas": _check_replicas,
    "remove_job_ttl": bool,
}


def check_arguments(operation: Operation, arguments: tuple[Any, ...]) -> list[Any]:
    """Arguments behind the object as a caller gave them, checked.

    Raises:
        InvalidObject: One cannot be used; the path is its name.
    """
    names = OPERATIONS[operation].arguments[1:]
    return [_ARGUMENT_CHECKS[name](value) for name, value in zip(names, arguments, strict=True)]


#: Operations whose recorded or neutral answer is "nothing" where nobody answers, instead of an
#: error.
NEUTRAL = frozenset({Operation.REFLECT_STATUS, Operation.PRUNE})

_BY_NAME: dict[str, Operation] = {
    name.lower().replace("_", "").replace("-", ""): spec.operation
    for spec in OPERATIONS.values()
    for name in (spec.operation.value, spec.hook, spec.reference_name)
    if name
}


def not_found(gvk: GVK, operation: Operation) -> NoInterpreter:
    """The error for a kind that nobody interprets, in the published words of the reference."""
    name = OPERATIONS[operation].reference_name or operation.value
    if operation is Operation.GET_DEPENDENCIES:
        message = f"default interpreter for operation {name} not found"
    else:
        shown = f"{gvk.group}/{gvk.version}, Kind={gvk.kind}"
        message = f'default {name} interpreter for "{shown}" not found'
    return NoInterpreter(message, gvk=gvk, operation=operation)


def parse_operation(name: str) -> Operation:
    """An operation by any of its names.

    ``GetReplicas``, ``get_replicas``, ``InterpretReplica``, ``interpretReplica``.

    Raises:
        ConfigurationError: No operation has that name.
    """
    operation = _BY_NAME.get(name.lower().replace("_", "").replace("-", ""))
    if operation is None:
        raise ConfigurationError(
            f"unknown operation {name!r}",
            hint="one of " + ", ".join(spec.operation.value for spec in OPERATIONS.values()),
        )
    return operation
