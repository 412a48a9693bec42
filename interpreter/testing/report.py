"""What a run gave: outcomes, counts, scripts without a case, coverage; as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from interpreter.api.operation import Operation
from interpreter.machinery.wording import visible
from interpreter.operations import OPERATIONS
from interpreter.testing.cases import Case
from interpreter.testing.checking import Mismatch
from interpreter.testing.coverage import ScriptCoverage, measure, table, total
from interpreter.testing.suites import Suite

Status = Literal["passed", "failed", "skipped", "updated"]
Style = Literal["good", "bad", "weak", "strong", "added", "removed", "hunk"]
#: Gives a text its colour; the plain one gives it back.
Painter = Callable[[str, Style], str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case.

    Attributes:
        suite: Kind of the suite.
        place: Folder or file of its scripts.
        case: The case.
        status: ``failed`` also for cases that cannot be run or assert nothing; ``updated`` when
            the file was changed.
        mismatches: Why it failed.
        seconds: Time of the run.
        lines: Executed lines by ``coverage.key_of`` of the script; empty unless coverage is asked
            for.
    """

    suite: str
    place: str
    case: Case
    status: Status
    mismatches: tuple[Mismatch, ...] = ()
    seconds: float = 0.0
    lines: Mapping[str, frozenset[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Untested:
    """A script or hook without a case."""

    suite: str
    place: str
    operation: Operation
    path: str


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run.

    Attributes:
        suites: What was looked at.
        outcomes: In the order of suites and cases.
        filtered: Whether cases were chosen by an expression; scripts without a case are not known
            then.
        stopped: Whether the run ended at a failure.
        with_coverage: Whether lines were recorded.
        seconds: Time of the whole run.
    """

    suites: tuple[Suite, ...]
    outcomes: tuple[Outcome, ...]
    filtered: bool = False
    stopped: bool = False
    with_coverage: bool = False
    seconds: float = 0.0

    def count(self, status: Status) -> int:
        """How many cases have a status."""
        return sum(outcome.status == status for outcome in self.outcomes)

    @property
    def failures(self) -> list[Outcome]:
        """Cases that failed."""
        return [outcome for outcome in self.outcomes if outcome.status == "failed"]

    @property
    def untested(self) -> list[Untested]:
        """Scripts without a case; none when only chosen cases ran."""
        if self.filtered or self.stopped:
            return []
        return [
            Untested(suite.kind, suite.place, operation, suite.rules[operation].path)
            for suite in self.suites
            for operation in suite.untested()
        ]

    def coverage(self) -> list[ScriptCoverage]:
        """Coverage of every script; all of it missed when no lines were recorded."""
        return measure(self.suites, (outcome.lines for outcome in self.outcomes))

    def ok(self, *, strict: bool = True) -> bool:
        """Whether nothing failed and, if ``strict``, every script has a case."""
        return not self.failures and not (strict and self.untested)

    def summary(self) -> str:
        """``3 passed, 1 failed``, with what else there is."""
        counts = [f"{self.count('passed')} passed", f"{self.count('failed')} failed"]
        counts += [
            f"{self.count(status)} {status}"
            for status in ("skipped", "updated")
            if self.count(status)
        ]
        if self.untested:
            counts.append(f"{len(self.untested)} without a case")
        return ", ".join(counts)

    def text(self, paint: Painter = lambda text, _style: text) -> str:
        """The report for people, without the summary line."""
        return "\n".join(
            [*self._kind_lines(paint), *self._failure_lines(paint), *self._coverage_lines()]
        )

    def _kind_lines(self, paint: Painter) -> Iterator[str]:
        counts: dict[tuple[str, str], Counter[tuple[Operation | None, Status]]] = {}
        for outcome in self.outcomes:
            counter = counts.setdefault((outcome.suite, outcome.place), Counter())
            counter[outcome.case.operation, outcome.status] += 1
        untested = self.untested
        for suite in self.suites:
            counter = counts.get((suite.kind, suite.place), Counter())
            missing = {
                each.operation
                for each in untested
                if (each.suite, each.place) == (suite.kind, suite.place)
            }
            if not counter and not missing:
                continue
            yield f"{paint(visible(suite.kind), 'strong')}  {paint(visible(suite.place), 'weak')}"
            for operation in (*OPERATIONS, None):
                words = [
                    paint(f"{counter[operation, status]} {status}", _COLOURS[status])
                    for status in _COLOURS
                    if counter[operation, status]
                ]
                if operation in missing:
                    words.append(paint("no case", "bad"))
                if words:
                    yield f"  {operation or 'files':<16}  {', '.join(words)}"

    def _failure_lines(self, paint: Painter) -> Iterator[str]:
        for outcome in self.outcomes:
            if outcome.status == "failed":
                case = outcome.case
                yield ""
                about = f"{outcome.suite} {case.operation or ''}".rstrip()
                yield f"{paint('FAILED', 'bad')} {about}: {visible(case.name)}"
                yield f"  {paint(visible(case.where), 'weak')}"
                for mismatch in outcome.mismatches:
                    yield from (f"  {visible(line)}" for line in mismatch.text.split("\n"))
                    yield from (f"    {_painted(visible(line), paint)}" for line in mismatch.diff)
        for each in self.untested:
            yield ""
            yield f"{paint('NO CASE', 'bad')} {each.suite} {each.operation}"
            yield f"  {paint(visible(each.path), 'weak')}"

    def _coverage_lines(self) -> list[str]:
        return ["", *table(self.coverage())] if self.with_coverage else []

    def to_dict(self) -> dict[str, Any]:
        """The report for programs."""
        data: dict[str, Any] = {
            "passed": self.count("passed"),
            "failed": self.count("failed"),
            "skipped": self.count("skipped"),
            "updated": self.count("updated"),
            "seconds": round(self.seconds, 6),
            "cases": [_case_dict(outcome) for outcome in self.outcomes],
            "untested": [
                {"kind": each.suite, "operation": str(each.operation), "file": each.path}
                for each in self.untested
            ],
        }
        if self.with_coverage:
            data["coverage"] = _coverage_dict(self.coverage())
        return data


_COLOURS: dict[Status, Style] = {
    "passed": "good",
    "failed": "bad",
    "skipped": "weak",
    "updated": "strong",
}
_DIFF_STYLES: dict[str, Style] = {"+": "added", "-": "removed", "@": "hunk"}


def _painted(line: str, paint: Painter) -> str:
    style = _DIFF_STYLES.get(line[:1])
    return line if style is None else paint(line, style)


def _case_dict(outcome: Outcome) -> dict[str, Any]:
    case = outcome.case
    return {
        "name": case.name,
        "kind": outcome.suite,
        "operation": None if case.operation is None else str(case.operation),
        "file": case.file,
        "line": case.line,
        "status": outcome.status,
        "seconds": round(outcome.seconds, 6),
        "messages": [mismatch.text for mismatch in outcome.mismatches],
    }


def _coverage_dict(measured: list[ScriptCoverage]) -> dict[str, Any]:
    lines, missed, share = total(measured)
    return {
        "lines": lines,
        "missed": missed,
        "percent": round(share, 2),
        "scripts": [
            {
                "script": each.script.name,
                "file": each.script.path,
                "lines": len(each.executable),
                "missed": each.missed,
                "percent": round(each.percent, 2),
            }
            for each in measured
        ],
    }
