"""Reading recordings: one JSON object a line, see the README beside them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Answer = dict[str, Any]

#: Tags that stand beside a case, not in its list of tags.
_MARKS = ("extreme", "order_sensitive")
_DEFAULT = Path(__file__).parents[2].parent / "shared" / "golden"


@dataclass(frozen=True, slots=True)
class Case:
    """One recorded case.

    ``expect`` holds result fields, or ``error`` with usually ``error_kind``. Of the scheduler and
    the pipeline it holds both, with an ``error`` that is null on success.
    """

    id: str
    operation: str
    input: dict[str, Any]
    expect: dict[str, Any]
    tags: frozenset[str] = field(default_factory=frozenset)
    unordered: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the reference failed here."""
        return self.expect.get("error") is not None


@dataclass(frozen=True, slots=True)
class Rule:
    """One deliberate difference.

    Attributes:
        name: What is different.
        reason: Why.
        applies: Whether the rule speaks about a case.
        holds: Whether our answer is what the rule wants instead.
    """

    name: str
    reason: str
    applies: Callable[[Case, Answer], bool]
    holds: Callable[[Case, Answer], bool]


def folder() -> Path | None:
    """The folder of recordings: ``GOLDEN_DIR``, else the one beside the checkout.

    None where neither exists.
    """
    named = os.environ.get("GOLDEN_DIR")
    path = Path(named) if named else _DEFAULT
    return path if path.is_dir() else None


def read(path: Path) -> list[Case]:
    """All cases of a file."""
    cases = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            data = json.loads(line)
            cases.append(
                Case(
                    id=data["id"],
                    operation=data.get("operation") or data["input"].get("op", "HookEnabled"),
                    input=data["input"],
                    expect=data["expect"],
                    tags=frozenset(data.get("tags", ())) | {key for key in _MARKS if data.get(key)},
                    unordered=tuple(data.get("unordered", ())),
                )
            )
    return cases
