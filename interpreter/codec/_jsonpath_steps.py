"""Steps of Kubernetes' JSONPath: functions from the values found so far to the next ones.

Where the dialect and jsonpath-ng mean the same, a step uses that library's node. The dialect judges
a step by all values together: a key may be missing in some of them, but not in all.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import jsonpath_ng

from interpreter.errors import InvalidObject

Step = Callable[[list[Any]], list[Any]]
#: More values than a person looks for: descents that multiply each other end here.
_MOST = 100_000


def walk(steps: Sequence[Step], values: list[Any]) -> list[Any]:
    """Takes steps one after the other.

    Raises:
        InvalidObject: A step leads nowhere, or to far too many values.
    """
    for step in steps:
        values = step(values)
        if len(values) > _MOST:
            raise InvalidObject(f"finds more than {_MOST} values")
    return values


def field(name: str) -> Step:
    """The value under a key.

    The step raises InvalidObject when there are values, and none of them has the key.
    """
    node = jsonpath_ng.Fields(name)

    def take(values: list[Any]) -> list[Any]:
        found = [
            datum.value
            for value in values
            if isinstance(value, dict) and name in value
            for datum in node.find(value)
        ]
        if values and not found:
            raise InvalidObject(f"{name} is not found")
        return found

    return take


def _children(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value[key] for key in sorted(value)]
    return value if isinstance(value, list) else []


def wildcard(values: list[Any]) -> list[Any]:
    """All children; those of an object by name."""
    return [child for value in values for child in _children(value)]


def descend(values: list[Any]) -> list[Any]:
    """The values themselves and everything below them, as far as it has children."""
    found = []
    for value in values:
        children = _children(value)
        if children:
            found.append(value)
            found.extend(descend(children))
        if len(found) > _MOST:
            break
    return found


def index(place: int) -> Step:
    """The item at a place of a list; a negative one counts from the end.

    The step raises InvalidObject for a value that is no list, and for a place outside it.
    """

    def take(values: list[Any]) -> list[Any]:
        found = []
        for value in values:
            size = len(_list_of(value))
            at = place + size if place < 0 else place
            if not 0 <= at < size:
                _outside(place, size)
            found.append(value[at])
        return found

    return take


def slice_of(start: int | None, end: int | None, step: int | None) -> Step:
    """Part of a list, from ``start`` on and before ``end``.

    The step raises InvalidObject for a value that is no list, and for a bound outside it.
    """

    def take(values: list[Any]) -> list[Any]:
        found: list[Any] = []
        for value in values:
            size = len(_list_of(value))
            first = 0 if start is None else start + size if start < 0 else start
            last = size if end is None else end + size if end < 0 else end
            if first == last:
                continue
            if not 0 <= first < size:
                _outside(first, size)
            if not 0 <= last <= size:
                _outside(last - 1, size)
            if first > last:
                raise InvalidObject(f"a slice starts at {first} and ends before it, at {last}")
            if step is not None and step <= 0:
                raise InvalidObject("the step of a slice must be positive", value=step)
            node = jsonpath_ng.Slice(first, last, step)
            found.extend(datum.value for datum in node.find(value))
        return found

    return take


def _list_of(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    raise InvalidObject("only a list has indices", value=value)


def _outside(place: int, size: int) -> NoReturn:
    raise InvalidObject(f"the index {place} is outside a list of {size}")


def union(members: list[tuple[Step, ...]]) -> Step:
    """What several paths find, one path after the other."""
    return lambda values: [found for member in members for found in walk(member, values)]


def constant(value: Any) -> Step:
    """One value, whatever was found before."""
    return lambda _values: [value]


def each_constant(value: Any) -> Step:
    """One value for each value that was found before."""
    return lambda values: [value] * len(values)


def exists(steps: tuple[Step, ...]) -> Step:
    """Items of lists in which a path finds something."""

    def holds(item: Any) -> bool:
        try:
            return bool(walk(steps, [item]))
        except InvalidObject:
            return False

    return lambda values: [item for value in values for item in _list_of(value) if holds(item)]


def filtered(left: tuple[Step, ...], sign: str, right: tuple[Step, ...]) -> Step:
    """Items of lists for which a comparison holds.

    The step raises InvalidObject for a value that is no list, and for a comparison that cannot be.
    """
    compare = COMPARE[sign]

    def holds(item: Any) -> bool:
        sides = [walk(side, [item]) for side in (left, right)]
        if any(len(side) > 1 for side in sides):
            raise InvalidObject("a filter compares one value with one value")
        if not all(sides):
            return False
        (first,), (second,) = sides
        _check_comparable(first, second, sign)
        return bool(compare(first, second))

    return lambda values: [item for value in values for item in _list_of(value) if holds(item)]


#: Filters by their sign.
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _check_comparable(first: Any, second: Any, sign: str) -> None:
    kinds = {_comparable_kind(each) for each in (first, second)}
    if len(kinds) > 1 or None in kinds or (kinds == {"boolean"} and sign not in ("==", "!=")):
        raise InvalidObject(f"values of these types cannot be compared with {sign}")


def _comparable_kind(value: Any) -> str | None:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    return "number" if isinstance(value, (int, float)) else None
