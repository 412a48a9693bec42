"""Reading and writing the fields that Retain moves, as strict as the reference's accessors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from interpreter.machinery.unstructured import JsonObject, ensure_map, map_at

_T = TypeVar("_T")


def read_strict(
    obj: JsonObject, path: tuple[str, ...], reader: Callable[[JsonObject, str, str], _T]
) -> _T:
    """Reads the last step of a path with a strict reader.

    A missing or null step before it means absent.

    Raises:
        InvalidObject: A step is no object, or the value has the wrong type.
    """
    return reader(map_at(obj, *path[:-1]), path[-1], ".".join(path[:-1]))


def write(obj: JsonObject, path: tuple[str, ...], value: Any) -> None:
    """Writes a value, making missing steps; a step that is null or no object is an error.

    Raises:
        InvalidObject: A step cannot hold the field.
    """
    parent = obj
    for depth, key in enumerate(path[:-1]):
        parent = ensure_map(parent, key, ".".join(path[:depth]))
    parent[path[-1]] = value
