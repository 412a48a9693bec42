"""Writing entries of ``status.conditions`` lists."""

from __future__ import annotations

from datetime import datetime

from interpreter.machinery.timestamps import format_time
from interpreter.machinery.unstructured import JsonObject, objects_at


def condition(kind: str, *, holds: bool, reason: str, message: str) -> JsonObject:
    """A condition without a time."""
    return {
        "type": kind,
        "status": "True" if holds else "False",
        "reason": reason,
        "message": message,
    }


def find(conditions: list[JsonObject], kind: str) -> JsonObject | None:
    """The first condition of a type."""
    return next((each for each in conditions if each.get("type") == kind), None)


def conditions_in(status: JsonObject) -> list[JsonObject]:
    """The conditions of a status, a new list."""
    return [each for each in objects_at(status, "conditions", "status") if each]


def put(conditions: list[JsonObject], new: JsonObject, *, now: datetime) -> list[JsonObject]:
    """The list with a condition in place of the one of its type.

    Its time is that of the old one unless the status value differs.
    """
    old = find(conditions, new["type"])
    if old is None:
        return [*conditions, {**new, "lastTransitionTime": format_time(now)}]
    changed = {**old, **new}
    if old.get("status") != new["status"] or "lastTransitionTime" not in old:
        changed["lastTransitionTime"] = format_time(now)
    return [changed if each is old else each for each in conditions]
