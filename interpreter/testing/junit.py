"""A report as JUnit XML: a suite per kind, a test case per case.

A script without a case is a test case that fails.
"""

from __future__ import annotations

from interpreter.codec import junit
from interpreter.testing.report import Outcome, Report


def junit_xml(report: Report, *, strict: bool = True) -> bytes:
    """The report as an XML document in UTF-8.

    Args:
        report: The report.
        strict: Whether a script without a case counts as a failure.
    """
    groups: dict[tuple[str, str], list[junit.Case]] = {}
    for outcome in report.outcomes:
        groups.setdefault((outcome.suite, outcome.place), []).append(_case(outcome))
    for each in report.untested if strict else ():
        case = junit.Case(
            classname=f"{each.suite}.{each.operation}",
            name="has a case",
            file=each.path,
            failure=("the script has no case", each.path),
        )
        groups.setdefault((each.suite, each.place), []).append(case)
    suites = [(kind, cases) for (kind, _place), cases in groups.items()]
    return junit.document("interpret test", suites, seconds=report.seconds)


def _case(outcome: Outcome) -> junit.Case:
    case = outcome.case
    failure = None
    if outcome.status == "failed":
        texts = ["\n".join((mismatch.text, *mismatch.diff)) for mismatch in outcome.mismatches]
        failure = (texts[0].split("\n", 1)[0] if texts else "failed", "\n\n".join(texts))
    return junit.Case(
        classname=f"{outcome.suite}.{case.operation or 'file'}",
        name=case.name,
        file=case.file,
        line=case.line,
        seconds=outcome.seconds,
        failure=failure,
        skipped=(case.skip or "") if outcome.status == "skipped" else None,
    )
