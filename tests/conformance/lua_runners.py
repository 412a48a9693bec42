"""Runs recorded cases whose script is in the case.

The Lua engine, its kube library, the merge rules.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from recordings import Answer, Case

from interpreter import ResourceInterpreter
from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import NO_STATUS
from interpreter.engines.lua.customizations import customization_rules
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script
from interpreter.errors import InterpreterError, InvalidObject
from interpreter.machinery.gvk import GVK, gvk_of
from interpreter.operations import OPERATIONS, parse_operation

ENGINE = LuaEngine()

#: Names of the arguments in a recording, in the order of the function.
_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "ReviseReplica": ("object", "replica"),
    "Retain": ("desired", "observed"),
    "AggregateStatus": ("object", "items"),
}


def run(case: Case) -> Answer:
    """Our answer in the recording's shape, or ``error`` with the exception.

    Inputs stay untouched.
    """
    given = copy.deepcopy(case.input)
    runner: Callable[[dict[str, Any]], Answer] = {
        "Sequence": _sequence,
        "Kube": _kube,
        "Merge": _merge,
    }.get(case.operation) or (lambda values: _script(case.operation, values))
    answer = _or_error(lambda: runner(case.input))
    assert case.input == given, f"{case.id}: the input was changed"
    return answer


def arguments_of(operation: str, given: dict[str, Any]) -> tuple[Any, ...]:
    """Arguments of an operation from a recording's fields."""
    return tuple(given.get(name) for name in _ARGUMENTS.get(operation, ("object",)))


def shown(operation: Operation, result: Any) -> Answer:
    """A result in the shape of a recording."""
    match operation:
        case Operation.GET_REPLICAS:
            return dict(result.to_dict())
        case Operation.GET_COMPONENTS:
            return {"components": [entry.to_dict() for entry in result]}
        case Operation.REFLECT_STATUS:
            return {"status": None if result is NO_STATUS else result}
        case Operation.INTERPRET_HEALTH:
            return {"healthy": result.healthy}
        case Operation.GET_DEPENDENCIES:
            return {"dependencies": [entry.to_dict() for entry in result]}
    return {"result": result}


def run_script(operation: str, given: dict[str, Any], engine: LuaEngine = ENGINE) -> Answer:
    """One script on one set of arguments."""
    script = Script("case/rule", given["script"], operation)
    arguments = arguments_of(operation, given)
    result = engine.interpret(Operation(operation), script, arguments, HookContext())
    return shown(Operation(operation), result)


def _or_error(work: Callable[[], Answer]) -> Answer:
    try:
        return work()
    except InterpreterError as error:
        return {"error": error}


def _script(operation: str, given: dict[str, Any]) -> Answer:
    return run_script(operation, given)


def _sequence(given: dict[str, Any]) -> Answer:
    return {
        "steps": [
            _or_error(lambda step=step: run_script(step["operation"], step))  # type: ignore[misc]
            for step in given["steps"]
        ]
    }


def _kube(given: dict[str, Any]) -> Answer:
    source = f"function Kube(...) return require('kube').{given['function']}(...) end"
    results = ENGINE.call(Script("case/kube", source, "Kube"), given["args"])
    return {"result": results[0] if results else None}


def _merge(given: dict[str, Any]) -> Answer:
    documents = (
        [] if given.get("no_load") else [_document(item) for item in given["customizations"]]
    )
    ask = _Chain(documents) if given["level"] == "chain" else _Declarative(documents)
    return {"results": [_or_error(lambda call=call: ask(call)) for call in given["calls"]]}  # type: ignore[misc]


def _document(item: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterCustomization",
        "metadata": {"name": item["name"]},
        "spec": {"target": item["target"], "customizations": item["customizations"]},
    }


class _Declarative:
    """The script interpreter alone; ``enabled`` says whether a script was found."""

    def __init__(self, documents: list[dict[str, Any]]) -> None:
        self._rules = customization_rules(documents, ENGINE)

    def __call__(self, call: dict[str, Any]) -> Answer:
        operation, gvk = _asked(call)
        found = [
            rule for rule in self._rules if rule.operation is operation and rule.gvk.matches(gvk)
        ]
        if call["operation"] == "HookEnabled" or not found:
            return {"enabled": bool(found)}
        try:
            result = found[0].call(arguments_of(call["operation"], call), HookContext())
        except InterpreterError as error:
            return {"error": error, "enabled": True}
        return {"enabled": True, **shown(operation, result)}


class _Chain:
    """Customizations before the native tier, through the facade."""

    def __init__(self, documents: list[dict[str, Any]]) -> None:
        self._interpreter = ResourceInterpreter(
            customizations=documents, plugins=None, tiers=("customization", "native")
        )

    def __call__(self, call: dict[str, Any]) -> Answer:
        operation, gvk = _asked(call)
        if call["operation"] == "HookEnabled":
            return {"enabled": self._interpreter.hook_enabled(gvk, operation)}
        obj, *given = arguments_of(call["operation"], call)
        names = (argument.name for argument in OPERATIONS[operation].inputs)
        inputs = dict(zip(names, given, strict=True))
        return shown(operation, self._interpreter.call(operation, obj, **inputs))


def _asked(call: dict[str, Any]) -> tuple[Operation, GVK]:
    if call["operation"] == "HookEnabled":
        return parse_operation(call["hook"]), GVK(call["group"], call["version"], call["kind"])
    obj = call.get("object", call.get("desired"))
    if not isinstance(obj, dict):
        raise InvalidObject("must be an object", value=obj)
    operation = Operation(call["operation"])
    assert operation in OPERATIONS
    return operation, gvk_of(obj)
