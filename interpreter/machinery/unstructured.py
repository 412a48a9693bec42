"""Reading, copying and editing plain JSON objects.

Two families of readers, because the reference has two (its typed conversion and its accessors):

* ``read_*`` treat null as absent and accept a whole float (``3.0``) where an integer is wanted;
* ``strict_*`` insist on the exact type: null, ``3.0`` and ``"3"`` are errors, only absence is fine.

A reader raises ``InvalidObject`` with the path of the field: ``at``, the path of the object it
reads from, and the key. Where that path holds an index, whoever loops adds it with
``InvalidObject.within``, so that paths cost nothing until there is an error.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

from interpreter.errors import InvalidObject, join_path

_T = TypeVar("_T")

JsonObject: TypeAlias = dict[str, Any]
#: Any JSON value: object, list, string, integer, float, boolean or None.
JsonValue: TypeAlias = Any

INT32_MAX = 2**31 - 1
INT32_MIN = -(2**31)
INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)

_EMPTY: JsonObject = {}


def deep_copy(value: JsonValue) -> JsonValue:
    """Copies objects and lists all the way down; a sub-object that occurs twice becomes two.

    Raises:
        RecursionError: The value is nested too deeply or contains itself (callers map it).
    """
    if isinstance(value, dict):
        copied = value.copy()
        for key, item in value.items():
            if isinstance(item, (dict, list)):
                copied[key] = deep_copy(item)
        return copied
    if isinstance(value, list):
        return [deep_copy(item) if isinstance(item, (dict, list)) else item for item in value]
    return value


def is_integer(value: Any) -> bool:
    """Whether a JSON value is an integer; booleans are none, although Python thinks so."""
    return isinstance(value, int) and value is not True and value is not False


def read_map(parent: JsonObject, key: str, at: str = "") -> JsonObject | None:
    """The object under ``key``; None when absent or null."""
    value = parent.get(key)
    if value is None or isinstance(value, dict):
        return value
    raise InvalidObject("must be an object", path=join_path(at, key), value=value)


def map_or_empty(parent: JsonObject, key: str, at: str = "") -> JsonObject:
    """The object under ``key``; an empty one (never to be changed) when absent or null."""
    value = parent.get(key)
    if isinstance(value, dict):
        return value
    if value is None:
        return _EMPTY
    raise InvalidObject("must be an object", path=join_path(at, key), value=value)


def list_or_empty(parent: JsonObject, key: str, at: str = "") -> list[Any] | tuple[()]:
    """The list under ``key``; an empty one when absent or null."""
    value = parent.get(key)
    if isinstance(value, list):
        return value
    if value is None:
        return ()
    raise InvalidObject("must be a list", path=join_path(at, key), value=value)


def objects_at(parent: JsonObject, key: str, at: str = "") -> list[Any] | tuple[()]:
    """The list of objects under ``key``.

    Nulls in it stay (readers of typed lists treat them as empty).
    """
    items = list_or_empty(parent, key, at)
    for index, item in enumerate(items):
        if not isinstance(item, dict) and item is not None:
            path = join_path(at, f"{key}[{index}]")
            raise InvalidObject("must be an object", path=path, value=item)
    return items


def strings_at(parent: JsonObject, key: str, at: str = "") -> list[str]:
    """The list of strings under ``key``, a new list; an empty one when absent or null."""
    items = list_or_empty(parent, key, at)
    for index, item in enumerate(items):
        if not isinstance(item, str):
            path = join_path(at, f"{key}[{index}]")
            raise InvalidObject("must be a string", path=path, value=item)
    return list(items)


def read_str(parent: JsonObject, key: str, at: str = "") -> str:
    """The string under ``key``; empty when absent or null."""
    value = parent.get(key)
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    raise InvalidObject("must be a string", path=join_path(at, key), value=value)


def read_bool(parent: JsonObject, key: str, at: str = "") -> bool:
    """The boolean under ``key``; false when absent or null."""
    value = parent.get(key)
    if value is None:
        return False
    if isinstance(value, bool):
        return value
    raise InvalidObject("must be a boolean", path=join_path(at, key), value=value)


def read_int(parent: JsonObject, key: str, at: str = "", *, bits: int = 32) -> int | None:
    """The integer under ``key``, None when absent or null. A whole float counts as the integer.

    Raises:
        InvalidObject: Another type, a fraction, or a value that does not fit ``bits`` (32 or 64).
    """
    value = parent.get(key)
    if value is None:
        return None
    try:
        return as_integer(value, key, bits=bits)
    except InvalidObject as error:
        raise error.within(at) from None


def as_integer(value: Any, path: str, *, bits: int = 32) -> int:
    """``value`` as an integer of ``bits``, see :func:`read_int`."""
    number = int(value) if _is_whole(value) else value
    if not is_integer(number):
        raise InvalidObject("must be an integer", path=path, value=value)
    low, high = (INT32_MIN, INT32_MAX) if bits == 32 else (INT64_MIN, INT64_MAX)
    if low <= number <= high:
        return int(number)
    raise InvalidObject(f"must fit a {bits}-bit integer", path=path, value=value)


def as_count(value: Any, path: str) -> int:
    """``value`` as a replica count: an integer in 0..2^31-1. A whole float is none."""
    if not is_integer(value):
        raise InvalidObject("must be an integer", path=path, value=value)
    if not 0 <= value <= INT32_MAX:
        raise InvalidObject("must be in 0..2147483647", path=path, value=value)
    return int(value)


def read_count(parent: JsonObject, key: str, at: str = "") -> int | None:
    """A replica count under ``key``, None when absent or null. A whole float counts."""
    value = parent.get(key)
    if value is None:
        return None
    try:
        return as_count(int(value) if _is_whole(value) else value, key)
    except InvalidObject as error:
        error.value = value
        raise error.within(at) from None


def _is_whole(value: Any) -> bool:
    return isinstance(value, float) and value.is_integer()


def strict_map(parent: JsonObject, key: str, at: str = "") -> JsonObject | None:
    """The object under ``key``, None when absent; null and other types are errors."""
    return _strict(parent, key, at, dict, "an object")


def strict_list(parent: JsonObject, key: str, at: str = "") -> list[Any] | None:
    """The list under ``key``, None when absent; null and other types are errors."""
    return _strict(parent, key, at, list, "a list")


def strict_str(parent: JsonObject, key: str, at: str = "") -> str | None:
    """The string under ``key``, None when absent; null and other types are errors."""
    return _strict(parent, key, at, str, "a string")


def _strict(parent: JsonObject, key: str, at: str, kind: type[_T], noun: str) -> _T | None:
    if key not in parent:
        return None
    value = parent[key]
    if isinstance(value, kind):
        return value
    raise InvalidObject(f"must be {noun}", path=join_path(at, key), value=value)


def strict_int(parent: JsonObject, key: str, at: str = "") -> int | None:
    """The 64-bit integer under ``key``, None when absent.

    ``3.0``, null and other types are errors.
    """
    if key not in parent:
        return None
    value = parent[key]
    if not is_integer(value):
        raise InvalidObject("must be an integer", path=join_path(at, key), value=value)
    if not INT64_MIN <= value <= INT64_MAX:
        raise InvalidObject("must fit a 64-bit integer", path=join_path(at, key), value=value)
    return int(value)


def strict_string_map(parent: JsonObject, key: str, at: str = "") -> dict[str, str] | None:
    """The object of strings under ``key``, None when absent; any other value in it is an error."""
    mapping = strict_map(parent, key, at)
    if mapping is not None:
        for name, value in mapping.items():
            if not isinstance(name, str) or not isinstance(value, str):
                raise _no_string(name, value, join_path(at, key))
    return mapping


def check_string_values(mapping: JsonObject, at: str) -> None:
    """Checks that an object holds strings only; null counts as unset.

    Raises:
        InvalidObject: A key or a value is something else.
    """
    for name, value in mapping.items():
        if not isinstance(name, str) or not (value is None or isinstance(value, str)):
            raise _no_string(name, value, at)


def _no_string(name: Any, value: Any, at: str) -> InvalidObject:
    if not isinstance(name, str):
        return InvalidObject("must have strings as keys", path=at)
    return InvalidObject("must be a string", path=join_path(at, name), value=value)


def ensure_map(parent: JsonObject, key: str, at: str = "") -> JsonObject:
    """The object under ``key`` for writing, made when absent; anything else there is an error."""
    value = strict_map(parent, key, at)
    if value is None:
        value = parent[key] = {}
    return value


def map_at(obj: JsonObject, *keys: str, at: str = "") -> JsonObject:
    """The object at a path of keys.

    An empty one (never to be changed) when any step is absent or null. ``at`` is the
    path of ``obj``.
    """
    current = obj
    for depth, key in enumerate(keys):
        value = current.get(key)
        if isinstance(value, dict):
            current = value
        elif value is None:
            return _EMPTY
        else:
            path = join_path(at, ".".join(keys[: depth + 1]))
            raise InvalidObject("must be an object", path=path, value=value)
    return current


def name_of(obj: JsonObject) -> str:
    """``metadata.name``; empty when absent."""
    return read_str(map_or_empty(obj, "metadata"), "name", "metadata")


def namespace_of(obj: JsonObject) -> str:
    """``metadata.namespace``; empty when absent."""
    return read_str(map_or_empty(obj, "metadata"), "namespace", "metadata")


def metadata_of(obj: JsonObject) -> JsonObject:
    """``metadata`` of an object that nobody checked; empty when it is absent or no object."""
    metadata = obj.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def generation_of(obj: JsonObject) -> int:
    """``metadata.generation``; 0 when absent."""
    return read_int(map_or_empty(obj, "metadata"), "generation", "metadata", bits=64) or 0


def ordered_like(value: JsonValue, model: JsonValue) -> JsonValue:
    """A copy in which the keys of every object stand as in ``model`` at the same place.

    List items correspond by index. Keys that the model lacks follow, sorted; what has no
    counterpart there at all is sorted throughout.
    """
    if isinstance(value, dict):
        known = model if isinstance(model, dict) else _EMPTY
        keys = [key for key in known if key in value]
        keys += sorted(key for key in value if key not in known)
        return {key: ordered_like(value[key], known.get(key)) for key in keys}
    if isinstance(value, list):
        models = model if isinstance(model, list) else []
        return [
            ordered_like(item, models[index] if index < len(models) else None)
            for index, item in enumerate(value)
        ]
    return value


def same(left: JsonValue, right: JsonValue) -> bool:
    """Whether two JSON values are equal: numbers by value, booleans are no numbers."""
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(same(item, right[key]) for key, item in left.items())
        )
    if isinstance(left, list):
        return isinstance(right, list) and len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)
