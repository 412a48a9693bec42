"""ONE table of the operations: their names everywhere, their arguments and their results.

Engines, the facade, commands and documents loop over ``OPERATIONS``; nobody writes a ladder of
comparisons.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from interpreter.api.operation import REFERENCE_NAMES, Operation
from interpreter.api.references import check_references
from interpreter.api.results import (
    HEALTH_STATUSES,
    NO_STATUS,
    Component,
    DependentObjectReference,
    Health,
    ReplicaRequirements,
    ReplicaResult,
)
from interpreter.codec.copying import copy_object
from interpreter.codec.json import check_json
from interpreter.errors import ConfigurationError, InvalidObject, NoInterpreter
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject, as_count, is_integer

#: Marks an argument that a caller must give.
REQUIRED: Final = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An argument behind the object.

    Attributes:
        name: Its name in hooks, in the facade and in case files.
        check: Gives the value to use for what a caller gave; raises InvalidObject.
        default: Its value when it is not given, or ``REQUIRED``.
    """

    name: str
    check: Callable[[Any], Any]
    default: Any = REQUIRED


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationSpec:
    """One row of the table.

    Attributes:
        operation: The name in scripts, cases and commands.
        hook: Hook and facade method.
        subject: Name of the first argument, the object that names the kind.
        inputs: The arguments behind it, in order.
        rule: Rule of a ResourceInterpreterCustomization, None when it has none.
        doc: One line for tables.
        accept: Turns what a plugin returned into the result type; raises InvalidObject otherwise.
        show: The result as JSON.
        returns_object: Whether the result is the object itself, edited.
        neutral: The answer for an object that nobody interprets; None where that is an error.
    """

    operation: Operation
    hook: str
    subject: str = "obj"
    inputs: tuple[Argument, ...] = ()
    rule: str | None
    doc: str
    accept: Callable[[Any], Any]
    show: Callable[[Any], Any]
    returns_object: bool = False
    neutral: Callable[[JsonObject], Any] | None = None

    @property
    def arguments(self) -> tuple[str, ...]:
        """Names of all arguments of the hook without ``context``."""
        return (self.subject, *(argument.name for argument in self.inputs))

    @property
    def reference_name(self) -> str | None:
        """The name in webhook rules, None where the reference has no such operation."""
        return REFERENCE_NAMES.get(self.operation)

    @property
    def lua_function(self) -> str | None:
        """Function that a script defines, None where no script can answer."""
        return self.operation.value if self.rule else None

    @property
    def script(self) -> str:
        """File name of a bundled script."""
        return f"{self.hook}.lua"


def _check_replicas(value: Any) -> int:
    return as_count(value, "replicas")


def _check_observed(value: Any) -> Any:
    if isinstance(value, dict):
        return value
    raise InvalidObject("must be an object", path="observed", value=value)


def _check_items(value: Any) -> Any:
    if value is not None and not isinstance(value, list):
        raise InvalidObject("must be a list of AggregatedStatusItem", path="items", value=value)
    return value


def _accept_replicas(value: Any) -> ReplicaResult:
    if is_integer(value):
        return ReplicaResult(as_count(value, "replicas"))
    if not isinstance(value, ReplicaResult):
        raise InvalidObject("must be a ReplicaResult or an integer", value=value)
    as_count(value.replicas, "replicas")
    _check_requirements(value.requirements, "requirements")
    return value


def _check_requirements(value: Any, path: str) -> None:
    if value is None:
        return
    if not isinstance(value, ReplicaRequirements):
        raise InvalidObject("must be ReplicaRequirements or None", path=path, value=value)
    try:
        ReplicaRequirements.from_dict(value.to_dict())
    except InvalidObject as error:
        raise error.within(path) from None
    except (AttributeError, TypeError, ValueError):
        raise InvalidObject("holds a value of the wrong type", path=path) from None


def _accept_object(value: Any) -> JsonObject:
    if not isinstance(value, dict):
        raise InvalidObject("must be an object (a dict)", value=value)
    kind = value.get("kind")
    if not isinstance(kind, str) or not kind:
        raise InvalidObject("must be a non-empty string", path="kind", value=kind)
    check_json(value)
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
        if not isinstance(component.name, str):
            raise InvalidObject("must be a string", path=f"[{index}].name", value=component.name)
        as_count(component.replicas, f"[{index}].replicas")
        _check_requirements(component.replica_requirements, f"[{index}].replica_requirements")
    return components


def _accept_dependencies(value: Any) -> list[DependentObjectReference]:
    references: list[DependentObjectReference] = _accept_list(value, DependentObjectReference)
    for index, reference in enumerate(references):
        for name in ("api_version", "kind", "namespace", "name"):
            text = getattr(reference, name)
            if not isinstance(text, str):
                raise InvalidObject("must be a string", path=f"[{index}].{name}", value=text)
        selector: Any = reference.label_selector
        if selector is not None and not isinstance(selector, dict):
            path = f"[{index}].label_selector"
            raise InvalidObject("must be an object or None", path=path, value=selector)
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
    for name, expected in (("reason", str), ("message", str), ("healthy", bool)):
        if not isinstance(getattr(value, name), expected):
            problem = f"must be a {expected.__name__}"
            raise InvalidObject(problem, path=name, value=getattr(value, name))
    return value


def _accept_status(value: Any) -> Any:
    if value is not NO_STATUS:
        check_json(value)
    return value


def _to_dict(value: Any) -> Any:
    return value.to_dict()


def _each_to_dict(values: list[Any]) -> list[Any]:
    return [value.to_dict() for value in values]


def _as_is(value: Any) -> Any:
    return value


def _show_status(value: Any) -> Any:
    return None if value is NO_STATUS else value


def _nothing(_obj: JsonObject) -> None:
    return None


OPERATIONS: dict[Operation, OperationSpec] = {
    spec.operation: spec
    for spec in (
        OperationSpec(
            operation=Operation.GET_REPLICAS,
            hook="get_replicas",
            rule="replicaResource",
            doc="replica count and what each replica needs",
            accept=_accept_replicas,
            show=_to_dict,
        ),
        OperationSpec(
            operation=Operation.GET_COMPONENTS,
            hook="get_components",
            rule="componentResource",
            doc="parts of an object with several pod templates",
            accept=_accept_components,
            show=_each_to_dict,
        ),
        OperationSpec(
            operation=Operation.REVISE_REPLICA,
            hook="revise_replica",
            inputs=(Argument(name="replicas", check=_check_replicas),),
            rule="replicaRevision",
            doc="the object with another replica count",
            accept=_accept_object,
            show=_as_is,
            returns_object=True,
        ),
        OperationSpec(
            operation=Operation.RETAIN,
            hook="retain",
            subject="desired",
            inputs=(Argument(name="observed", check=_check_observed),),
            rule="retention",
            doc="the object with the member cluster's own fields",
            accept=_accept_object,
            show=_as_is,
            returns_object=True,
        ),
        OperationSpec(
            operation=Operation.AGGREGATE_STATUS,
            hook="aggregate_status",
            inputs=(Argument(name="items", check=_check_items),),
            rule="statusAggregation",
            doc="the object with member statuses folded in",
            accept=_accept_object,
            show=_as_is,
            returns_object=True,
        ),
        OperationSpec(
            operation=Operation.REFLECT_STATUS,
            hook="reflect_status",
            rule="statusReflection",
            doc="the status that a member reports",
            accept=_accept_status,
            show=_show_status,
            neutral=_nothing,
        ),
        OperationSpec(
            operation=Operation.INTERPRET_HEALTH,
            hook="interpret_health",
            rule="healthInterpretation",
            doc="how the object fares",
            accept=_accept_health,
            show=_to_dict,
        ),
        OperationSpec(
            operation=Operation.GET_DEPENDENCIES,
            hook="get_dependencies",
            rule="dependencyInterpretation",
            doc="objects that travel with it",
            accept=_accept_dependencies,
            show=_each_to_dict,
        ),
        OperationSpec(
            operation=Operation.PRUNE,
            hook="prune",
            inputs=(Argument(name="remove_job_ttl", check=bool, default=False),),
            rule=None,
            doc="the template as packed into a Work",
            accept=_accept_object,
            show=_as_is,
            returns_object=True,
            neutral=copy_object,
        ),
    )
}

#: Operation by rule of a ResourceInterpreterCustomization, by function of its script, and by hook.
OPERATION_OF_RULE = {spec.rule: operation for operation, spec in OPERATIONS.items() if spec.rule}
OPERATION_OF_FUNCTION = {
    spec.lua_function: operation for operation, spec in OPERATIONS.items() if spec.lua_function
}
OPERATION_OF_HOOK = {spec.hook: operation for operation, spec in OPERATIONS.items()}


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
    """An operation by any of its names, see :class:`~interpreter.api.operation.Operation`.

    Raises:
        ConfigurationError: No operation has that name.
    """
    try:
        return Operation(name)
    except ValueError:
        raise ConfigurationError(
            f"unknown operation {name!r}", hint=f"one of {', '.join(Operation)}"
        ) from None
