"""Reading of fields that may mean something else to their owner: a wrong type is passed over."""

from __future__ import annotations

from interpreter.machinery.unstructured import INT32_MAX, JsonObject, JsonValue, is_integer


def fields_of(value: JsonValue) -> JsonObject:
    """The fields of an object; what is no object has none."""
    return value if isinstance(value, dict) else {}


def count_of(value: JsonValue) -> int | None:
    """A count, 0..2^31-1; None for anything else."""
    return int(value) if is_integer(value) and 0 <= value <= INT32_MAX else None
