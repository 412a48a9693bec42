"""Independent copies of JSON objects, at the speed of the JSON encoder.

A round trip through orjson costs less than half of a copy in Python. It would turn NaN into null,
so a result with nulls is compared with the original, and a difference means a copy in Python
instead. What orjson refuses (integers beyond 64 bits, keys that are no text, subclasses, deep
nesting) is copied in Python, too. A tuple becomes a list, as JSON has it.
"""

from __future__ import annotations

from typing import Any

import orjson

from interpreter.machinery.unstructured import JsonObject, JsonValue, deep_copy

#: Leave to Python what is no plain JSON value.
_PLAIN = (
    orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)


def copy_object(obj: JsonObject) -> JsonObject:
    """A copy of a JSON object that equals it and shares nothing with it.

    Raises:
        RecursionError: The object is nested too deeply or contains itself (callers map it).
    """
    try:
        encoded = orjson.dumps(obj, option=_PLAIN)
        copied: JsonObject = orjson.loads(encoded)
    except (orjson.JSONEncodeError, orjson.JSONDecodeError):
        # What it refuses: big integers, keys that are no text, deep nesting, too much at once.
        return deep_copy(obj)  # type: ignore[no-any-return]
    # Only a text with a null can hide a NaN.
    if b"null" in encoded and copied != obj:
        return deep_copy(obj)  # type: ignore[no-any-return]
    return copied


def plain_copy(value: JsonValue) -> JsonValue:
    """A copy that shares nothing with a value and is of the types of JSON throughout.

    Subclasses of dict, str and so on, which may behave as they like, become what they hold.

    Args:
        value: A JSON value that ``check_json`` has let pass.
    """
    try:
        return orjson.loads(orjson.dumps(value, option=_PLAIN))
    except (orjson.JSONEncodeError, orjson.JSONDecodeError):
        return _plain(value)


def _plain(value: Any) -> JsonValue:
    if isinstance(value, dict):
        return {str.__str__(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return str.__str__(value)
    if value is None or isinstance(value, bool):
        return value
    return float.__float__(value) if isinstance(value, float) else int.__int__(value)
