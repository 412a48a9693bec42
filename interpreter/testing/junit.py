"""JUnit XML, as CI systems read it: a suite per kind, a test case per case.

A script without a case is a test case that fails.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from interpreter.testing.report import Outcome, Report

#: Characters that XML 1.0 cannot carry, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(report: Report, *, strict: bool = True) -> bytes:
    """The report as an XML document in UTF-8.

    Args:
        report: The report.
        strict: Whether a script without a case counts as a failure.
    """
    root = ET.Element("testsuites", name="interpret test", time=f"{report.seconds:.3f}")
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in report.outcomes:
        groups.setdefault((outcome.suite, outcome.place), []).append(outcome)
    untested = report.untested if strict else []
    for each in untested:
        groups.setdefault((each.suite, each.place), [])
    totals = [0, 0, 0]
    for (kind, place), outcomes in groups.items():
        missing = [each for each in untested if (each.suite, each.place) == (kind, place)]
        counts = (
            len(outcomes) + len(missing),
            sum(outcome.status == "failed" for outcome in outcomes) + len(missing),
            sum(outcome.status == "skipped" for outcome in outcomes),
        )
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        suite = ET.SubElement(root, "testsuite", name=_clean(kind))
        _set_counts(suite, counts)
        suite.set("time", f"{sum(outcome.seconds for outcome in outcomes):.3f}")
        for outcome in outcomes:
            _add_case(suite, outcome)
        for each in missing:
            element = ET.SubElement(
                suite,
                "testcase",
                classname=_clean(f"{kind}.{each.operation}"),
                name="has a case",
                file=_clean(each.path),
                time="0.000",
            )
            _add_failure(element, "the script has no case", each.path)
    _set_counts(root, (totals[0], totals[1], totals[2]))
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _set_counts(element: ET.Element, counts: tuple[int, int, int]) -> None:
    tests, failures, skipped = counts
    element.set("tests", str(tests))
    element.set("failures", str(failures))
    element.set("errors", "0")
    element.set("skipped", str(skipped))


def _add_case(suite: ET.Element, outcome: Outcome) -> None:
    case = outcome.case
    element = ET.SubElement(
        suite,
        "testcase",
        classname=_clean(f"{outcome.suite}.{case.operation or 'file'}"),
        name=_clean(case.name),
        file=_clean(case.file),
        line=str(case.line),
        time=f"{outcome.seconds:.3f}",
    )
    if outcome.status == "skipped":
        ET.SubElement(element, "skipped", message=_clean(case.skip or ""))
    if outcome.status == "failed":
        texts = ["\n".join((mismatch.text, *mismatch.diff)) for mismatch in outcome.mismatches]
        first = texts[0].split("\n", 1)[0] if texts else "failed"
        _add_failure(element, first, "\n\n".join(texts))


def _add_failure(element: ET.Element, message: str, text: str) -> None:
    failure = ET.SubElement(element, "failure", message=_clean(message))
    failure.text = _clean(text)


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
