"""Does an answer hold what a case asserts? One mismatch for each expectation that it does not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError, join_path
from interpreter.explanation import ordered_answer
from interpreter.machinery.unstructured import JsonValue
from interpreter.testing.cases import Case, Expectation, Place
from interpreter.testing.comparison import (
    Difference,
    aligned,
    diff_lines,
    first_difference,
    project,
    yaml_lines,
)
from interpreter.testing.karmada_comparison import comparable, with_exclusions


@dataclass(frozen=True, slots=True)
class Answer:
    """What running a case gave: the answer as JSON, or an error.

    Attributes:
        value: The answer.
        error: The error's text, None when there was none.
        message: Its core, without what changes with every edit.
        who: What was asked.
    """

    value: JsonValue = None
    error: str | None = None
    message: str = ""
    who: str = "script"

    @property
    def failure(self) -> str:
        """The error as a sentence."""
        return f"the {self.who} failed: {self.error}"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a case fails.

    Attributes:
        text: One line or several.
        diff: Lines of a unified diff, or nothing.
        place: Where ``observed`` goes with ``--update``; None when an update is no help.
        observed: The value to write there.
    """

    text: str
    diff: tuple[str, ...] = ()
    place: Place | None = None
    observed: Any = None


def answer_of(error: InterpreterError, *, who: str = "script") -> Answer:
    """The answer for an error: its text names the script and the line."""
    text = str(error)
    where = error.script
    if where is not None and error.line is not None:
        where = f"{where}:{error.line}"
    if where is not None and where not in text:
        text = f"{where}: {text}"
    # Line numbers change with every edit of a script: an update writes the text without them.
    message = error.message if where is None else error.message.removeprefix(f"{where}: ")
    return Answer(error=text, message=message, who=who)


def check(case: Case, answer: Answer) -> list[Mismatch]:
    """Everything about an answer that is not as the case wants it; nothing when the case passes."""
    if case.operation is not None and case.arguments:
        # Lua gives the fields in an order of the process: reports and updates must not show it.
        ordered = ordered_answer(case.operation, answer.value, case.arguments[0])
        answer = replace(answer, value=ordered)
    if not case.expectations:
        return _asserts_nothing(case, answer)
    found = []
    for expectation in case.expectations:
        mismatch = _check(case, expectation, answer)
        if mismatch is not None:
            found.append(mismatch)
            if answer.error is not None:
                break  # every other expectation would say the same
    return found


def _asserts_nothing(case: Case, answer: Answer) -> list[Mismatch]:
    wanted = "output" if case.missing_fields else "want"
    text = f"the case asserts nothing: add {wanted} (--update writes the observed answer)"
    if answer.error is not None:
        return [Mismatch(f"{text}\n{answer.failure}")]
    if case.missing_fields:
        observed: JsonValue = {
            key: _part(answer.value, field) for key, field in case.missing_fields
        }
    else:
        observed = _first_answer(case.operation, answer.value)
    return [Mismatch(text, (), case.missing, observed)]


def _first_answer(operation: Operation | None, value: JsonValue) -> JsonValue:
    """The shortest ``want`` that says what a person would write."""
    if operation is Operation.INTERPRET_HEALTH and isinstance(value, dict):
        plain = value.get("reason") in ("", "Unhealthy") and not value.get("message")
        if plain and value.get("status") == ("Healthy" if value.get("healthy") else "Degraded"):
            return value["healthy"]
        return {key: item for key, item in value.items() if item != ""}
    return value


def _check(case: Case, expectation: Expectation, answer: Answer) -> Mismatch | None:
    if expectation.mode == "error":
        return _check_error(expectation, answer)
    if answer.error is not None:
        return Mismatch(answer.failure)
    got = _part(answer.value, expectation.field)
    want = expectation.want
    if expectation.mode == "partial":
        return _check_part(expectation, got)
    if expectation.mode == "karmada":
        want, compared = comparable(expectation.key, want, got)
        return _mismatch(expectation, want, compared, with_exclusions(expectation.want, got))
    if (
        case.operation is Operation.GET_REPLICAS
        and expectation.field is None
        and isinstance(want, dict)
        and isinstance(got, dict)
        and "requirements" not in want
    ):
        # What an object leaves out is nothing; only a bare count says "whatever the requirements".
        return _mismatch(expectation, {**want, "requirements": None}, got, got)
    return _mismatch(expectation, want, got, got)


def _check_error(expectation: Expectation, answer: Answer) -> Mismatch | None:
    want = expectation.want
    if not want:
        if answer.error is None:
            return Mismatch("the case asserts nothing: want_error is empty, and no error came")
        text = f"the case asserts nothing: want_error is empty\n{answer.failure}"
        return Mismatch(text, (), expectation.place, answer.message)
    if answer.error is None:
        return Mismatch(
            f"want an error that contains {want!r}, got an answer",
            tuple(f"+{line}" for line in yaml_lines(answer.value)[:20]),
        )
    if want in answer.error:
        return None
    return Mismatch(
        f"want an error that contains {want!r}\ngot the error {answer.error}",
        (),
        expectation.place,
        answer.message,
    )


def _check_part(expectation: Expectation, got: JsonValue) -> Mismatch | None:
    """Only the fields given count; the others of ``got`` are no part of the comparison."""
    part = project(got, expectation.want) if isinstance(got, dict) else got
    want = _without_nulls(expectation.want)
    return _mismatch(expectation, want, _without_nulls(part), part)


def _without_nulls(value: JsonValue) -> JsonValue:
    """Null means "absent or null" in a part, on both sides."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return value


def _mismatch(
    expectation: Expectation, want: JsonValue, compared: JsonValue, observed: JsonValue
) -> Mismatch | None:
    difference = first_difference(want, compared)
    if difference is None:
        return None
    if expectation.field is not None and expectation.key == "want_status":
        path = join_path("status", difference.path)
        difference = Difference(path, difference.want, difference.got)
    return Mismatch(
        f"{expectation.key} differs{' first at' if difference.path else ':'} {difference}",
        tuple(diff_lines(want, compared)),
        expectation.place,
        aligned(observed, expectation.want),
    )


def _part(value: JsonValue, field: str | None) -> JsonValue:
    if field is None or not isinstance(value, dict):
        return value
    return value.get(field)
