"""Reading member statuses and writing the aggregated one.

A member's status is read as the reference decodes it: field names in any case, null is unset, a
float is no integer even when whole, integers must fit their width. Sums are exact; they do not wrap
at 32 bits.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from interpreter.codec.copying import copy_object
from interpreter.errors import InvalidObject, join_path
from interpreter.machinery.unstructured import (
    INT32_MAX,
    INT32_MIN,
    INT64_MAX,
    INT64_MIN,
    JsonObject,
    is_integer,
    objects_at,
    read_map,
    read_str,
)

Items = list[JsonObject] | None

_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,]\d+)?(?:(Z)|([+-])(\d\d):(\d\d))\Z",
    re.ASCII,
)


def each_status(
    items: Items, fields: frozenset[str]
) -> Iterator[tuple[str, JsonObject, JsonObject | None]]:
    """Path, item and status of each item.

    The status has its known fields in their usual spelling; it is None if unset.

    Raises:
        InvalidObject: The list, an item or a status has the wrong type.
    """
    if items is None:
        return
    if not isinstance(items, list):
        raise InvalidObject("must be a list of AggregatedStatusItem", path="items", value=items)
    for index, item in enumerate(items):
        at = f"items[{index}]"
        if not isinstance(item, dict):
            raise InvalidObject("must be an object", path=at, value=item)
        status = read_map(item, "status", at)
        yield at, item, None if status is None else fold_names(status, fields)


def fold_names(mapping: JsonObject, fields: frozenset[str]) -> JsonObject:
    """The mapping with known fields in their usual spelling; itself when it has no others."""
    if fields.issuperset(mapping):
        return mapping
    usual = _usual_spelling(fields)
    folded: JsonObject = {}
    for name, value in mapping.items():
        spelling = name
        if name not in fields and isinstance(name, str):
            spelling = usual.get(name.lower(), name)
        # Of several spellings the last one counts; a null leaves the one before.
        if value is not None or spelling not in folded:
            folded[spelling] = value
    return folded


@functools.cache
def _usual_spelling(fields: frozenset[str]) -> dict[str, str]:
    return {name.lower(): name for name in fields}


def member_int(parent: JsonObject, key: str, at: str, *, bits: int = 32) -> int:
    """An integer that a member reports; 0 when absent or null. A float is none, even when whole."""
    value = parent.get(key)
    if value is None:
        return 0
    low, high = (INT32_MIN, INT32_MAX) if bits == 32 else (INT64_MIN, INT64_MAX)
    if type(value) is int and low <= value <= high:
        return value
    problem = f"must fit a {bits}-bit integer" if is_integer(value) else "must be an integer"
    raise InvalidObject(problem, path=join_path(at, key), value=value)


def folded_objects(
    parent: JsonObject, field: str, at: str, names: frozenset[str]
) -> list[JsonObject]:
    """A list of objects, nulls as empty ones; known names in their usual spelling."""
    return [fold_names(entry or {}, names) for entry in objects_at(parent, field, at)]


def member_time(parent: JsonObject, key: str, at: str) -> datetime | None:
    """A time that a member reports, in UTC; None when absent or null."""
    value = parent.get(key)
    return None if value is None else parse_time(value, join_path(at, key))


def parse_time(value: Any, path: str) -> datetime:
    """Reads an RFC 3339 time; fractions of a second are cut, as the API does.

    Raises:
        InvalidObject: The value is no such time.
    """
    found = _TIME.match(value) if isinstance(value, str) else None
    if found is None:
        raise InvalidObject("must be an RFC 3339 time", path=path, value=value)
    *parts, _zulu, sign, hours, minutes = found.groups()
    try:
        moment = datetime(*(int(part) for part in parts), tzinfo=UTC)  # type: ignore[misc,arg-type]
        if sign:
            if int(hours) > 23 or int(minutes) > 59:
                raise ValueError("no offset")
            offset = timedelta(hours=int(hours), minutes=int(minutes))
            moment = moment - offset if sign == "+" else moment + offset
    except (ValueError, OverflowError):
        raise InvalidObject("is no possible time", path=path, value=value) from None
    return moment


def status_of(obj: JsonObject) -> JsonObject:
    """The object's own status; empty when absent or null."""
    return read_map(obj, "status") or {}


def settle(obj: JsonObject, status: JsonObject, *, always: bool = False) -> JsonObject:
    """A copy of the object with a new status; unchanged when the old status says the same.

    Two statuses say the same when they are equal once zeros, empty strings, lists and objects are
    left out: a typed client cannot tell those from absent fields, and would update for ever.
    ``always`` writes the status even so.
    """
    if not always and significant(status_of(obj)) == significant(status):
        return copy_object(obj)
    return with_status(obj, status)


def with_status(obj: JsonObject, status: JsonObject) -> JsonObject:
    """A copy of the object with another status, which is taken over as it is."""
    # A placeholder keeps the status where it was among the fields.
    result = copy_object({**obj, "status": ""})
    result["status"] = status
    return result


def significant(value: Any) -> Any:
    """A JSON value without object fields that are null, zero, false or empty.

    List items stay in place.
    """
    if isinstance(value, dict):
        found = {}
        for key, item in value.items():
            kept = significant(item) if isinstance(item, (dict, list)) else item
            if kept:
                found[key] = kept
        return found
    if isinstance(value, list):
        return [significant(item) for item in value]
    return value


def phases_of(items: Items) -> list[str | None]:
    """Phase of each item; None for an item without status, empty when its status has none."""
    return [
        None if status is None else read_str(status, "phase", f"{at}.status")
        for at, _item, status in each_status(items, PHASE)
    ]


PHASE = frozenset({"phase"})


def worst_phase(items: Items, order: tuple[str, ...]) -> str:
    """The first phase of ``order`` that any item has; an item without status is Pending.

    Empty when none fits.
    """
    found = {"Pending" if phase is None else phase for phase in phases_of(items)}
    return next((phase for phase in order if phase in found), "")
