"""Timestamps as Kubernetes writes them: RFC 3339 in UTC, whole seconds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from interpreter.errors import InvalidObject


def format_time(moment: datetime) -> str:
    """A moment as text; fractions of a second are dropped.

    Args:
        moment: With a time zone.
    """
    return f"{moment.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat()}Z"


def parse_time(value: Any, path: str) -> datetime | None:
    """A moment with its time zone; None for null, absent or empty.

    Raises:
        InvalidObject: It is no timestamp, or has no time zone.
    """
    if value is None or value == "":
        return None
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            moment = None
        if moment is not None and moment.tzinfo is not None:
            return moment
    raise InvalidObject("must be a time such as 2024-05-01T08:00:00Z", path=path, value=value)
