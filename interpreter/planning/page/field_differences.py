"""Where two objects differ, field by field."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.machinery.unstructured import JsonValue

#: Says where the Work is, so it differs in every cluster and tells nothing.
_NAMESPACE_OF_WORK = 'metadata.annotations["work.karmada.io/namespace"]'

Difference = tuple[str, JsonValue | None, JsonValue | None]


def differences(first: JsonValue, second: JsonValue) -> list[Difference]:
    """Paths at which two values differ, each with both values; None where one has nothing.

    Lists of one length are compared entry by entry, others as a whole.
    """
    found = _differences(first, second, "")
    return [each for each in found if each[0] != _NAMESPACE_OF_WORK]


def _differences(first: JsonValue, second: JsonValue, path: str) -> Iterator[Difference]:
    if isinstance(first, dict) and isinstance(second, dict):
        for key in {**first, **second}:
            inner = _joined(path, key)
            if key not in first:
                yield inner, None, second[key]
            elif key not in second:
                yield inner, first[key], None
            else:
                yield from _differences(first[key], second[key], inner)
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for place, (left, right) in enumerate(zip(first, second, strict=True)):
            yield from _differences(left, right, f"{path}[{place}]")
    elif type(first) is not type(second) or first != second:
        yield path, first, second


def _joined(path: str, key: str) -> str:
    if not key.replace("-", "").replace("_", "").isalnum():
        return f'{path}["{key}"]'
    return f"{path}.{key}" if path else key
