"""Runs a recorded case on this project and brings the answer into the recording's shape."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from recordings import Answer, Case

from interpreter import GVK, Operation, ResourceInterpreter
from interpreter.errors import InterpreterError, InvalidObject
from interpreter.machinery import quantity
from interpreter.operations import OPERATIONS, parse_operation

_NATIVE = ResourceInterpreter(plugins=None, tiers=("native",))


def run(case: Case) -> Answer:
    """Our answer: result fields as recorded ones, or ``error`` (the exception itself).

    Inputs are checked to be untouched: that holds for every operation.
    """
    given = copy.deepcopy(case.input)
    try:
        answer = _RUNNERS[case.operation](case.input)
    except InterpreterError as error:
        answer = {"error": error}
    assert case.input == given, f"{case.id}: the input was changed"
    return answer


def interpret(operation: Operation, given: dict[str, Any]) -> Answer:
    """One operation through the facade, native tier only."""
    ri = _NATIVE
    obj = given.get("object")
    match operation:
        case Operation.GET_REPLICAS:
            return ri.get_replicas(obj).to_dict()
        case Operation.REVISE_REPLICA:
            return {"result": ri.revise_replica(obj, given["replica"])}
        case Operation.RETAIN:
            return {"result": ri.retain(given["desired"], given["observed"])}
        case Operation.AGGREGATE_STATUS:
            result = ri.aggregate_status(obj, given["items"])
            return {"result": result, "status": result.get("status"), "unchanged": result == obj}
        case Operation.GET_DEPENDENCIES:
            return {"dependencies": [entry.to_dict() for entry in ri.get_dependencies(obj)]}
        case Operation.REFLECT_STATUS:
            return {"status": ri.reflect_status(obj)}
        case Operation.INTERPRET_HEALTH:
            return {"healthy": ri.interpret_health(obj).healthy}
        case Operation.PRUNE:
            ttl = "RemoveJobTTLSeconds" in given["hooks"]
            return {"result": ri.prune(obj, remove_job_ttl=ttl)}
    raise AssertionError(operation)


def _hook_enabled(given: dict[str, Any]) -> Answer:
    gvk = GVK(given["group"], given["version"], given["kind"])
    # The recorded program knows its own spelling only; other spellings are unknown operations to
    # it.
    own = [spec for spec in OPERATIONS.values() if spec.reference_name == given["operation"]]
    enabled = any(_NATIVE.hook_enabled(gvk, parse_operation(given["operation"])) for _spec in own)
    return {"enabled": enabled}


def _parse(given: dict[str, Any]) -> Answer:
    parsed = quantity.parse(given["s"])
    return {
        "string": str(parsed),
        "format": parsed.format,
        "value": _or_error(lambda: parsed.value),
        "milli": _or_error(lambda: parsed.milli),
        "float": parsed.approximate(),
        "int64": parsed.as_int64(),
        "sign": parsed.sign,
        "zero": parsed.sign == 0,
    }


def _or_error(get: Callable[[], int]) -> Any:
    try:
        return get()
    except InvalidObject:
        return "error: out of range"


def _json(given: dict[str, Any]) -> Answer:
    text = str(quantity.parse_json(given["json"]))
    return {"string": text, "json": text}


def _compare(given: dict[str, Any]) -> Answer:
    left, right = quantity.parse(given["a"]), quantity.parse(given["b"])
    return {"cmp": left.compare(right), "equal": left == right}


def _arithmetic(combine: Callable[[Any, Any], quantity.Quantity]) -> Callable[[Any], Answer]:
    def run_it(given: dict[str, Any]) -> Answer:
        result = combine(quantity.parse(given["a"]), quantity.parse(given["b"]))
        return {"string": str(result), "format": result.format, "sign": result.sign}

    return run_it


def _resource_add(given: dict[str, Any]) -> Answer:
    for item in given["items"]:
        if item is not None and not isinstance(item, str):
            raise InvalidObject("must be a text", value=item)
    items = [quantity.ZERO if item is None else quantity.parse(item) for item in given["items"]]
    return {"string": str(quantity.total(items))}


def _resource_quantity(given: dict[str, Any]) -> Answer:
    parsed = quantity.parse(given["s"])
    if parsed.sign < 0:
        raise InvalidObject("must not be negative", value=given["s"])
    return {"number": parsed.approximate()}


_RUNNERS: dict[str, Callable[[dict[str, Any]], Answer]] = {
    **{
        operation.value: (lambda given, operation=operation: interpret(operation, given))
        for operation in Operation
    },
    "HookEnabled": _hook_enabled,
    "parse": _parse,
    "json": _json,
    "cmp": _compare,
    "add2": _arithmetic(lambda left, right: left + right),
    "sub": _arithmetic(lambda left, right: left - right),
    "resourceAdd": _resource_add,
    "getResourceQuantity": _resource_quantity,
}
