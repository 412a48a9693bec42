"""JUnit XML, as CI systems read it: suites of test cases that pass, fail, err or are skipped."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

#: Characters that XML 1.0 cannot carry, not even escaped.
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A test case; it passes where nothing else is said.

    Attributes:
        classname: What groups cases in reports.
        name: Its name.
        file: The file it stands in, as text.
        line: Line in that file, None when it is not known.
        seconds: Wall time.
        failure: A line and the whole text, where it failed.
        error: The same, where it could not be told whether it fails.
        skipped: Why it was skipped.
        output: Further text.
    """

    classname: str
    name: str
    file: str
    line: int | None = None
    seconds: float = 0.0
    failure: tuple[str, str] | None = None
    error: tuple[str, str] | None = None
    skipped: str | None = None
    output: str | None = None


def document(
    name: str, suites: Sequence[tuple[str, Sequence[Case]]], *, seconds: float = 0.0
) -> bytes:
    """An XML document in UTF-8.

    Args:
        name: Name of the whole.
        suites: Names and cases.
        seconds: Wall time of the whole.
    """
    root = ET.Element("testsuites", name=_clean(name), time=f"{seconds:.3f}")
    for title, cases in suites:
        suite = ET.SubElement(root, "testsuite", name=_clean(title))
        _set_counts(suite, cases)
        suite.set("time", f"{sum(case.seconds for case in cases):.3f}")
        for case in cases:
            _add_case(suite, case)
    _set_counts(root, [case for _title, cases in suites for case in cases])
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _set_counts(element: ET.Element, cases: Sequence[Case]) -> None:
    element.set("tests", str(len(cases)))
    element.set("failures", str(sum(case.failure is not None for case in cases)))
    element.set("errors", str(sum(case.error is not None for case in cases)))
    element.set("skipped", str(sum(case.skipped is not None for case in cases)))


def _add_case(suite: ET.Element, case: Case) -> None:
    element = ET.SubElement(
        suite,
        "testcase",
        classname=_clean(case.classname),
        name=_clean(case.name),
        file=_clean(case.file),
    )
    if case.line is not None:
        element.set("line", str(case.line))
    element.set("time", f"{case.seconds:.3f}")
    if case.skipped is not None:
        ET.SubElement(element, "skipped", message=_clean(case.skipped))
    for tag, problem in (("failure", case.failure), ("error", case.error)):
        if problem is not None:
            message, text = problem
            ET.SubElement(element, tag, message=_clean(message)).text = _clean(text)
    if case.output is not None:
        ET.SubElement(element, "system-out").text = _clean(case.output)


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
