"""From the values a script returned to the result type of its operation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from interpreter.api.operation import Operation
from interpreter.api.references import check_references
from interpreter.api.results import (
    HEALTH_STATUSES,
    NO_STATUS,
    Component,
    DependentObjectReference,
    Health,
    NodeClaim,
    ReplicaRequirements,
    ReplicaResult,
)
from interpreter.errors import InvalidObject
from interpreter.machinery import quantity
from interpreter.machinery.unstructured import (
    JsonObject,
    JsonValue,
    as_count,
    objects_at,
    read_map,
    read_str,
)


def check(operation: Operation, results: list[JsonValue]) -> Any:
    """Brings results into the operation's result type.

    Args:
        operation: The operation.
        results: What the function returned, at most two values; a missing one counts as nil.

    Raises:
        InvalidObject: They do not fit; path and value say where.
    """
    first = results[0] if results else None
    second = results[1] if len(results) > 1 else None
    return _CHECKS[operation](first, second)


def _replicas(first: JsonValue, second: JsonValue) -> ReplicaResult:
    return ReplicaResult(_count(first), _requirements(second, "requirements"))


def _count(value: JsonValue) -> int:
    """A replica count; a whole float counts, Lua knows no difference."""
    is_whole = isinstance(value, float) and value.is_integer()
    return as_count(int(value) if is_whole else value, "replicas")


_OF_COMPONENT = ("nodeClaim", "resourceRequest", "priorityClassName")
_OF_REPLICA = (*_OF_COMPONENT, "namespace")


def _requirements(
    value: JsonValue, path: str, fields: tuple[str, ...] = _OF_REPLICA
) -> ReplicaRequirements | None:
    if value is None:
        return None
    try:
        data = _named(value, *fields)
        request = read_map(data, "resourceRequest")
        return ReplicaRequirements(
            node_claim=_node_claim(read_map(data, "nodeClaim")),
            resource_request=None if request is None else _amounts(request),
            namespace=read_str(data, "namespace"),
            priority_class_name=read_str(data, "priorityClassName"),
        )
    except InvalidObject as error:
        raise error.within(path) from None


def _node_claim(value: JsonObject | None) -> NodeClaim | None:
    if value is None:
        return None
    try:
        data = _named(value, "hardNodeAffinity", "nodeSelector", "tolerations")
        selector = read_map(data, "nodeSelector")
        for key, item in (selector or {}).items():
            if not isinstance(item, str):
                raise InvalidObject("must be a string", path=f"nodeSelector.{key}", value=item)
        return NodeClaim(
            hard_node_affinity=read_map(data, "hardNodeAffinity"),
            node_selector=selector,
            tolerations=tuple(objects_at(data, "tolerations")),
        )
    except InvalidObject as error:
        raise error.within("nodeClaim") from None


def _amounts(request: JsonObject) -> dict[str, str]:
    amounts = {}
    for name, amount in request.items():
        try:
            amounts[name] = str(quantity.parse_json(amount))
        except InvalidObject as error:
            raise error.within(f"resourceRequest.{name}") from None
    return amounts


def _named(value: JsonValue, *fields: str) -> JsonObject:
    """The fields of an object under their exact names; scripts may write them in any case."""
    if not isinstance(value, Mapping):
        raise InvalidObject("must be a table", value=value)
    if all(key in fields for key in value):
        return dict(value)
    folded = {field.lower(): field for field in fields}
    found: JsonObject = {}
    for key, item in value.items():
        field = folded.get(key.lower())
        if field is not None and (field not in found or key == field):
            found[field] = item
    return found


def _list(value: JsonValue, path: str) -> list[Any]:
    # An empty table has no kind: here it can only be an empty list.
    if value == {}:
        return []
    if not isinstance(value, list):
        raise InvalidObject("must be a list", path=path, value=value)
    return value


def _components(first: JsonValue, _second: JsonValue) -> list[Component]:
    components: list[Component] = []
    for index, item in enumerate(_list([] if first is None else first, "components")):
        try:
            data = _named(item, "name", "replicas", "replicaRequirements")
            components.append(
                Component(
                    read_str(data, "name"),
                    _count(data.get("replicas", 0)),
                    _requirements(
                        data.get("replicaRequirements"), "replicaRequirements", _OF_COMPONENT
                    ),
                )
            )
        except InvalidObject as error:
            raise error.within(f"components[{index}]") from None
    return components


def _object(first: JsonValue, _second: JsonValue) -> JsonObject:
    if not isinstance(first, dict):
        raise InvalidObject("the result must be an object (a table with string keys)", value=first)
    kind = first.get("kind")
    if not isinstance(kind, str) or not kind:
        raise InvalidObject("must be a non-empty string", path="kind", value=kind)
    return first


def _status(first: JsonValue, _second: JsonValue) -> Any:
    if first is None:
        return NO_STATUS
    if not isinstance(first, (dict, list)):
        raise InvalidObject("a status must be a table, or nil for nothing to report", value=first)
    return first


def _health(first: JsonValue, second: JsonValue) -> Health:
    message = second if isinstance(second, str) else ""
    if first is True:
        return Health("Healthy", "", message)
    if first is False:
        return Health("Degraded", "Unhealthy", message)
    if not isinstance(first, dict):
        raise InvalidObject("health must be a boolean or a table with a status", value=first)
    status = first.get("status")
    if status not in HEALTH_STATUSES:
        raise InvalidObject(
            f"must be one of {', '.join(HEALTH_STATUSES)}", path="status", value=status
        )
    healthy = first.get("healthy")
    if healthy is not None and not isinstance(healthy, bool):
        raise InvalidObject("must be a boolean", path="healthy", value=healthy)
    text = read_str(first, "message") or message
    if healthy is None:
        return Health(status, read_str(first, "reason"), text)
    return Health(status, read_str(first, "reason"), text, healthy)


def _dependencies(first: JsonValue, _second: JsonValue) -> list[DependentObjectReference]:
    found = []
    for index, item in enumerate(_list(first, "dependencies")):
        place = f"dependencies[{index}]"
        try:
            data = _named(item, "apiVersion", "kind", "namespace", "name", "labelSelector")
            reference = DependentObjectReference.from_dict(data)
        except InvalidObject as error:
            raise error.within(place) from None
        found.append(reference)
    try:
        check_references(found)
    except InvalidObject as error:
        path, separator, problem = error.message.partition(": ")
        if not separator or path.startswith("["):  # a list of several problems
            raise
        raise InvalidObject(problem, path=path) from None
    return join_dependencies(found)


def join_dependencies(
    references: Iterable[DependentObjectReference],
) -> list[DependentObjectReference]:
    """Each reference once, sorted by apiVersion, kind, namespace and name."""
    unique: dict[tuple[str, ...], DependentObjectReference] = {}
    for reference in sorted(references, key=_dependency_order):
        selector = reference.label_selector
        shown = "" if selector is None else json.dumps(selector, sort_keys=True)
        unique.setdefault((*_dependency_order(reference), shown), reference)
    return list(unique.values())


def _dependency_order(reference: DependentObjectReference) -> tuple[str, ...]:
    return (reference.api_version, reference.kind, reference.namespace, reference.name)


_CHECKS: dict[Operation, Callable[[JsonValue, JsonValue], Any]] = {
    Operation.GET_REPLICAS: _replicas,
    Operation.GET_COMPONENTS: _components,
    Operation.REVISE_REPLICA: _object,
    Operation.RETAIN: _object,
    Operation.AGGREGATE_STATUS: _object,
    Operation.REFLECT_STATUS: _status,
    Operation.INTERPRET_HEALTH: _health,
    Operation.GET_DEPENDENCIES: _dependencies,
}
