"""Reading ``conditions`` lists, and the CamelCase words that controllers write into them.

The shape is ``metav1.Condition`` (Kubernetes API conventions, "Typical status properties"), but
custom resources bend it: status as a boolean, a missing reason, several entries of one type. The
readers here are tolerant, because ``conditions`` of a foreign kind may mean something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from interpreter.machinery.unstructured import INT64_MAX, JsonObject, JsonValue, is_integer

Truth = Literal["True", "False", "Unknown"]

_TRUTHS: dict[JsonValue, Truth] = {"true": "True", "false": "False"}
#: A capitalised word, an acronym before one, a run of small letters; digits and signs separate.
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class Condition(NamedTuple):
    """One entry of a ``conditions`` list.

    Attributes:
        type: The condition's type, such as ``Ready``.
        truth: Its status; what is neither true nor false is ``Unknown``.
        reason: CamelCase word on one line, or empty.
        message: Text for people on one line, or empty.
        observed_generation: Generation that the condition speaks about, None when it does not say.
    """

    type: str
    truth: Truth
    reason: str = ""
    message: str = ""
    observed_generation: int | None = None


def read_conditions(value: JsonValue) -> list[Condition]:
    """The conditions in a ``conditions`` field, in order; entries without a type are left out.

    A value that is no list holds none; that is no error, see the top of this module.
    """
    if not isinstance(value, list):
        return []
    return [
        _read_condition(entry, entry["type"])
        for entry in value
        if isinstance(entry, dict) and isinstance(entry.get("type"), str)
    ]


def _read_condition(entry: JsonObject, kind: str) -> Condition:
    return Condition(
        type=one_line(kind),
        truth=truth_of(entry.get("status")),
        reason=one_line(entry.get("reason")),
        message=one_line(entry.get("message")),
        observed_generation=as_generation(entry.get("observedGeneration")),
    )


def find_condition(conditions: Iterable[Condition], kind: str) -> Condition | None:
    """The first condition of a type; None when there is none."""
    return next((condition for condition in conditions if condition.type == kind), None)


def truth_of(value: JsonValue) -> Truth:
    """A condition's status: ``True``, ``False``, or ``Unknown`` for anything else."""
    if isinstance(value, bool):
        return "True" if value else "False"
    return _TRUTHS.get(value.lower(), "Unknown") if isinstance(value, str) else "Unknown"


def as_generation(value: JsonValue) -> int | None:
    """A generation, 0..2^63-1; None for anything else (some controllers write -1 for never)."""
    return int(value) if is_integer(value) and 0 <= value <= INT64_MAX else None


def one_line(value: JsonValue) -> str:
    """A text with every run of white space as one blank; empty when the value is no text."""
    return " ".join(value.split()) if isinstance(value, str) else ""


def words_of(text: str) -> list[str]:
    """Words of a name, in small letters: ``ACK.ResourceSynced`` is ack, resource, synced."""
    return [word.lower() for word in _WORD.findall(text)]
