"""Answers in short, for tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from interpreter.api.operation import Operation
from interpreter.machinery.unstructured import JsonObject, JsonValue
from interpreter.machinery.wording import counted, listed, truncated

_SHOWN_CHANGES = 3
_SHOWN_ITEMS = 4
_SHOWN_TEXT = 100


def short(operation: Operation, answer: JsonValue, obj: JsonObject) -> str:
    """One line for an answer.

    Args:
        operation: The operation.
        answer: Its result as JSON.
        obj: The object it was asked about; results that are objects show what changed.
    """
    return _SHORT.get(operation, _changes)(answer, obj)


def _replicas(answer: Any, _obj: JsonObject) -> str:
    return ", ".join(
        [counted(answer["replicas"], "replica"), *_requirements(answer["requirements"])]
    )


def _components(answer: Any, _obj: JsonObject) -> str:
    return _listed([f"{entry['name']} ({entry['replicas']})" for entry in answer], "no components")


def _requirements(requirements: Any) -> list[str]:
    if requirements is None:
        return []
    parts = [f"{name} {amount}" for name, amount in requirements.get("resourceRequest", {}).items()]
    return [*parts, "node claim"] if "nodeClaim" in requirements else parts


def _health(answer: Any, _obj: JsonObject) -> str:
    text = answer["status"]
    if answer["reason"]:
        text = f"{text} ({answer['reason']})"
    return cut(f"{text}: {answer['message']}" if answer["message"] else text)


def _dependencies(answer: Any, _obj: JsonObject) -> str:
    return _listed(
        [f"{entry['kind']}/{entry.get('name') or 'by label'}" for entry in answer], "none"
    )


def _status(answer: JsonValue, _obj: JsonObject) -> str:
    if answer is None:
        return "nothing to report"
    from interpreter.codec import json

    return cut(json.dumps(answer))


def _changes(answer: JsonValue, obj: JsonObject) -> str:
    """What an object that was returned has differently."""
    changes = list(_differences(obj, answer, ""))
    return listed(changes, _SHOWN_CHANGES) if changes else "unchanged"


def _differences(before: JsonValue, after: JsonValue, path: str) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before:
            inner = _joined(path, key)
            if key not in after:
                yield f"-{inner}"
            else:
                yield from _differences(before[key], after[key], inner)
        for key in after:
            if key not in before:
                yield f"+{_joined(path, key)}"
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _differences(old, new, f"{path}[{index}]")
    elif before != after:
        simple = not isinstance(before, (dict, list)) and not isinstance(after, (dict, list))
        yield cut(f"{path}: {before} -> {after}") if simple else path


def _joined(path: str, key: object) -> str:
    """A path one key longer; keys with dots or slashes stand in brackets."""
    name = str(key)
    if "." in name or "/" in name or not name:
        return f"{path}[{name}]"
    return f"{path}.{name}" if path else name


def _listed(items: list[str], nothing: str) -> str:
    return listed(items, _SHOWN_ITEMS) if items else nothing


def cut(text: str, width: int = _SHOWN_TEXT) -> str:
    """A text on one line of at most ``width`` characters."""
    return truncated(" ".join(text.split()), width)


_SHORT: dict[Operation, Callable[[Any, JsonObject], str]] = {
    Operation.GET_REPLICAS: _replicas,
    Operation.GET_COMPONENTS: _components,
    Operation.INTERPRET_HEALTH: _health,
    Operation.GET_DEPENDENCIES: _dependencies,
    Operation.REFLECT_STATUS: _status,
}

#: Colours of a terminal by the first word of an answer.
STYLES = {
    "Healthy": "green",
    "Progressing": "cyan",
    "Suspended": "blue",
    "Degraded": "red",
    "Missing": "red",
    "Unknown": "yellow",
    "error": "bold red",
    "no": "dim",
}
