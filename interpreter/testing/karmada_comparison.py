"""Comparing as Karmada's own tests do, so that its test files mean here what they mean there.

Followed from ``pkg/resourceinterpreter/default/thirdparty/thirdparty_test.go`` of Karmada:
dependencies and components have no order, quantities are equal by value, ``{{EXCLUDE}}`` takes a
field out of the comparison, and a list or map that is empty equals one that is absent. The last
point goes further than there (also inside objects), because Karmada loses empty lists and maps on
their way through Lua, and expectations recorded from it lack them.
"""

from __future__ import annotations

from typing import Any

from interpreter.errors import InterpreterError
from interpreter.machinery import quantity
from interpreter.machinery.unstructured import JsonValue
from interpreter.testing.comparison import ABSENT

_EXCLUDE = "{{EXCLUDE}}"
_EMPTY: tuple[Any, ...] = (None, {}, [])


def comparable(field: str, want: JsonValue, got: JsonValue) -> tuple[JsonValue, JsonValue]:
    """Both sides in a form in which equal values are equal for Karmada's tests.

    Args:
        field: Field of ``output``: ``dependencies``, ``requires``, …
        want: What the file says.
        got: The same part of our answer.
    """
    if field == "dependencies":
        want, got = _sorted(want, _reference_key), _sorted(got, _reference_key)
    elif field == "components":
        want, got = _sorted(want, _name_key), _sorted(got, _name_key)
    elif field == "requires":
        want, got = want or {}, got or {}
    return _matched(want, got)


def _sorted(value: JsonValue, key: Any) -> JsonValue:
    if value is None:
        return []
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return sorted(value, key=key)
    return value


def _reference_key(item: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(item.get(key, "")) for key in ("apiVersion", "kind", "namespace", "name"))


def _name_key(item: dict[str, Any]) -> str:
    return str(item.get("name", ""))


def _same_amount(want: JsonValue, got: JsonValue) -> bool:
    try:
        return quantity.parse_json(want) == quantity.parse_json(got)
    except InterpreterError:
        return False


def _matched(want: Any, got: Any) -> tuple[Any, Any]:
    """Drops what does not count: excluded fields, and empties that only one side has."""
    if isinstance(want, dict) and isinstance(got, dict):
        left, right = {}, {}
        for key in [*want, *(key for key in got if key not in want)]:
            ours, theirs = want.get(key, ABSENT), got.get(key, ABSENT)
            if ours == _EXCLUDE:
                continue
            if (ours is ABSENT and theirs in _EMPTY) or (theirs is ABSENT and ours in _EMPTY):
                continue
            if ours is ABSENT:
                right[key] = theirs
            elif theirs is ABSENT:
                left[key] = ours
            elif key == "resourceRequest":
                left[key], right[key] = _matched_amounts(ours, theirs)
            else:
                left[key], right[key] = _matched(ours, theirs)
        return left, right
    if isinstance(want, list) and isinstance(got, list):
        pairs = [_matched(ours, theirs) for ours, theirs in zip(want, got, strict=False)]
        size = len(pairs)
        return (
            [pair[0] for pair in pairs] + want[size:],
            [pair[1] for pair in pairs] + got[size:],
        )
    return want, got


def _matched_amounts(want: Any, got: Any) -> tuple[Any, Any]:
    """Quantities by name; equal ones get one spelling, that of the file."""
    if not isinstance(want, dict) or not isinstance(got, dict):
        return want, got
    got = {
        name: want[name] if name in want and _same_amount(want[name], amount) else amount
        for name, amount in got.items()
    }
    return want, got


def with_exclusions(want: JsonValue, got: JsonValue) -> JsonValue:
    """``got`` as an update writes it: what the file takes out of the comparison stays taken out."""
    if want == _EXCLUDE:
        return want
    if isinstance(want, dict) and isinstance(got, dict):
        return {
            key: with_exclusions(want[key], item) if key in want else item
            for key, item in got.items()
        }
    if isinstance(want, list) and isinstance(got, list):
        paired = [with_exclusions(ours, theirs) for ours, theirs in zip(want, got, strict=False)]
        return paired + got[len(paired) :]
    return got
