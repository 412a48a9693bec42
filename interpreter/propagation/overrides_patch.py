"""Plaintext operations: JSON patch (RFC 6902) with negative indices, on a value in place.

Nobody but the caller holds the value: it is a copy that is thrown away when an operation fails.
"""

from __future__ import annotations

import re
from typing import Any

from interpreter.codec.copying import copy_object
from interpreter.errors import InvalidObject
from interpreter.machinery.unstructured import JsonObject, JsonValue, read_str

_INDEX = re.compile(r"[+-]?[0-9]{1,9}\Z", re.ASCII)


def parse_pointer(text: str) -> list[str]:
    """The steps of a JSON pointer (RFC 6901); none for the empty one.

    Raises:
        InvalidObject: It does not start with a slash.
    """
    if not text:
        return []
    if not text.startswith("/"):
        raise InvalidObject("a path starts with a slash", hint=f"/{text}", value=text)
    return [step.replace("~1", "/").replace("~0", "~") for step in text[1:].split("/")]


def value_at(document: JsonValue, pointer: str) -> JsonValue:
    """The value that a pointer leads to.

    Raises:
        InvalidObject: Nothing is there.
    """
    value = document
    for step in parse_pointer(pointer):
        value = _child(value, step, pointer)
    return value


def apply_operation(document: JsonValue, operation: JsonObject, path_field: str) -> JsonValue:
    """One operation; the document it gives is the one it got, unless the path is empty.

    ``add`` overwrites, appends at an index equal to the length or ``-``, and creates no parents.
    ``replace`` and ``remove`` want something to be there. A missing value is null. A negative index
    counts from the end; for ``add`` in the list as it will be.

    Args:
        document: The value, changed in place.
        operation: ``operator``, a path and ``value``.
        path_field: Name of the field with the path: ``path`` or ``subPath``.

    Raises:
        InvalidObject: The path leads nowhere, or the operation is none.
    """
    pointer, action = read_str(operation, path_field), read_str(operation, "operator")
    if action not in ("add", "replace", "remove"):
        raise InvalidObject("must be add, replace or remove", path="operator", value=action)
    value = _copied(operation.get("value"))
    steps = parse_pointer(pointer)
    if not steps:
        if action == "remove":
            raise InvalidObject("the whole object cannot be removed")
        return value
    parent = document
    for step in steps[:-1]:
        parent = _child(parent, step, pointer)
    if isinstance(parent, dict):
        _edit_map(parent, steps[-1], action, value, pointer)
    elif isinstance(parent, list):
        _edit_list(parent, steps[-1], action, value, pointer)
    else:
        raise _nothing_at(pointer, parent)
    return document


def _edit_map(parent: JsonObject, key: str, action: str, value: Any, pointer: str) -> None:
    if action != "add" and key not in parent:
        raise _nothing_at(pointer)
    if action == "remove":
        del parent[key]
    else:
        parent[key] = value


def _edit_list(parent: list[Any], step: str, action: str, value: Any, pointer: str) -> None:
    if action == "add":
        if step == "-":
            parent.append(value)
        else:
            parent.insert(_position(step, len(parent) + 1, pointer), value)
        return
    position = _position(step, len(parent), pointer)
    if action == "remove":
        del parent[position]
    else:
        parent[position] = value


def _child(value: Any, step: str, pointer: str) -> Any:
    if isinstance(value, dict):
        if step in value:
            return value[step]
        raise _nothing_at(pointer)
    if isinstance(value, list):
        return value[_position(step, len(value), pointer)]
    raise _nothing_at(pointer, value)


def _position(step: str, size: int, pointer: str) -> int:
    if not _INDEX.match(step):
        raise InvalidObject(f"{pointer}: {step!r} is no index of a list")
    position = int(step)
    if position < 0:
        position += size
    if not 0 <= position < size:
        raise InvalidObject(f"{pointer}: the index {step} is outside the list")
    return position


def _nothing_at(pointer: str, value: Any = None) -> InvalidObject:
    problem = f"{pointer}: there is nothing at this path"
    return InvalidObject(problem) if value is None else InvalidObject(problem, value=value)


def _copied(value: Any) -> Any:
    return copy_object({"value": value})["value"] if isinstance(value, (dict, list)) else value
