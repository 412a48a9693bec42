"""Agreement with a recording of the Lua tier, and the shapes that rules compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from compare import same
from recordings import Answer, Case


def agrees(case: Case, answer: Answer) -> bool:
    """Whether all recorded fields are ours too.

    ``raw`` repeats a result as text and is not compared.
    """
    for several in ("steps", "results"):
        if several in case.expect:
            return several in answer and all(
                fields_agree(wanted, got)
                for wanted, got in zip(case.expect[several], answer[several], strict=True)
            )
    return fields_agree(case.expect, answer)


def fields_agree(wanted: dict[str, Any], got: Answer) -> bool:
    """Equality of one recorded answer and ours; errors agree with errors."""
    if "error" in wanted or "error" in got:
        return "error" in wanted and "error" in got
    return all(same(value, got.get(name)) for name, value in wanted.items() if name != "raw")


def recorded_and_own(case: Case, answer: Answer) -> list[tuple[Any, Any]] | None:
    """Recorded and own results side by side; None when one of them is an error."""
    if case.failed or "error" in answer:
        return None
    return [(value, answer.get(name)) for name, value in case.expect.items() if name != "raw"]


def arguments(case: Case) -> list[Any]:
    return [
        case.input[name]
        for name in ("object", "desired", "observed", "items")
        if name in case.input
    ]


def walk(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict):
        for item in value.values():
            yield from walk(item)
    elif isinstance(value, list):
        for item in value:
            yield from walk(item)


def lossy(value: Any) -> Any:
    """What the recorded program keeps of a value: no null, no empty table, doubles only."""
    if isinstance(value, dict):
        kept = {key: lossy(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, {}, [])}
    if isinstance(value, list):
        return [item for item in map(lossy, value) if item not in (None, {}, [])]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53:
        return float(value)
    return value
