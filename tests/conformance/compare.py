"""Whether our answer says what the recording says."""

from __future__ import annotations

import json
import re
from typing import Any

from recordings import Answer, Case

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")


def agrees(case: Case, answer: Answer) -> bool:
    """Equality of all recorded fields; numbers by value, objects unordered, ``<now>`` any time.

    Of AggregateStatus the status is compared: the rest of the recorded object went through a typed
    form. The rest of ours must be the input as it was.
    """
    if case.failed or "error" in answer:
        return case.failed and "error" in answer and _same_text(case, answer["error"])
    if case.operation == "AggregateStatus":
        before, after = dict(case.input["object"]), dict(answer["result"])
        before.pop("status", None)
        after.pop("status", None)
        if before != after or (case.expect["unchanged"] and not answer["unchanged"]):
            return False
        return same(case.expect["status"], answer["status"])
    for field, wanted in case.expect.items():
        got = answer.get(field)
        if field == "dependencies":
            wanted, got = _ordered(wanted), _ordered(got)
        if not same(wanted, got):
            return False
    return True


def _same_text(case: Case, error: Any) -> bool:
    """Texts are ours, except the published ones.

    A missing interpreter and the check of dependencies.
    """
    if case.expect.get("error_kind") in ("unsupported", "validation"):
        return bool(error.message == case.expect["error"])
    return True


def same(wanted: Any, got: Any) -> bool:
    """Deep equality with numbers by value and ``<now>`` as any current time."""
    if wanted == "<now>":
        return isinstance(got, str) and _TIME.match(got) is not None
    if isinstance(wanted, dict):
        return (
            isinstance(got, dict)
            and wanted.keys() == got.keys()
            and all(same(value, got[key]) for key, value in wanted.items())
        )
    if isinstance(wanted, list):
        return (
            isinstance(got, list)
            and len(wanted) == len(got)
            and all(same(a, b) for a, b in zip(wanted, got, strict=True))
        )
    if _is_number(wanted) and _is_number(got):
        # A recorded float may be written as a long integer: it is the nearest double that counts.
        return wanted == got or (isinstance(got, float) and float(wanted) == got)
    return type(wanted) is type(got) and wanted == got


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _ordered(references: list[Any]) -> list[Any]:
    return sorted(references, key=lambda entry: json.dumps(entry, sort_keys=True))
