"""Findings written down: a table for people, and what other programs read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from interpreter import __version__
from interpreter.authoring.lint.checking import Report
from interpreter.authoring.lint.findings import RULES, Finding, Level
from interpreter.machinery.wording import counted, visible

_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
#: Levels as GitHub's workflow commands call them.
_GITHUB = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def plain(text: str, _level: Level) -> str:
    """A level's text as it is; what paints it otherwise is the caller's business."""
    return text


def table(report: Report, paint: Callable[[str, Level], str] = plain) -> str:
    """Lines for people, grouped by file, with a summary at the end."""
    lines: list[str] = []
    for file, group in groupby(report.findings, key=lambda finding: finding.file):
        found = list(group)
        places = [f"{finding.line}:{finding.column}" for finding in found]
        width = max(map(len, places))
        rules = max(len(finding.rule) for finding in found)
        lines.append(visible(file))
        for place, finding in zip(places, found, strict=True):
            message = visible(finding.message)
            level = paint(f"{finding.level.value:<7}", finding.level)
            lines.append(f"  {place:>{width}}  {level}  {finding.rule:<{rules}}  {message}")
        lines.append("")
    lines.append(summary(report))
    return "\n".join(lines)


def summary(report: Report) -> str:
    """``2 errors, 1 warning in 3 scripts of 2 files``."""
    counts = [counted(report.count(level), level.value) for level in Level if report.count(level)]
    where = f"{counted(report.scripts, 'script')} of {counted(report.files, 'file')}"
    return f"{', '.join(counts) or 'no findings'} in {where}"


def as_json(report: Report) -> dict[str, Any]:
    """Findings, and how many of each level."""
    return {
        "findings": [finding.to_dict() for finding in report.findings],
        "summary": {
            **{f"{level.value}s": report.count(level) for level in Level},
            "scripts": report.scripts,
            "files": report.files,
        },
    }


def github(report: Report) -> str:
    """Workflow commands, which GitHub shows beside the changed lines."""
    return "\n".join(map(_command, report.findings))


def _command(finding: Finding) -> str:
    properties = (
        f"file={_property(finding.file)},line={finding.line},col={finding.column},"
        f"title={_property(finding.rule)}"
    )
    return f"::{_GITHUB[finding.level]} {properties}::{_data(finding.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def sarif(report: Report) -> dict[str, Any]:
    """A SARIF 2.1.0 log with one run; paths stay relative, as code hosts want them."""
    used = sorted({finding.rule for finding in report.findings})
    return {
        "$schema": _SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "interpret check",
                        "version": __version__,
                        "rules": [_sarif_rule(rule) for rule in used],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": list(_sarif_results(report.findings, used)),
            }
        ],
    }


def _sarif_rule(rule: str) -> dict[str, Any]:
    return {
        "id": rule,
        "shortDescription": {"text": RULES[rule].summary},
        "defaultConfiguration": {"level": RULES[rule].level.value},
    }


def _sarif_results(findings: Iterable[Finding], used: list[str]) -> Iterable[dict[str, Any]]:
    for finding in findings:
        result: dict[str, Any] = {
            "ruleId": finding.rule,
            "ruleIndex": used.index(finding.rule),
            "level": finding.level.value,
            "message": {"text": finding.message},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _uri(finding.file)},
                        "region": {"startLine": finding.line, "startColumn": finding.column},
                    }
                }
            ],
        }
        if finding.customization:
            name = f"{finding.customization}/{finding.script}".rstrip("/")
            result["locations"][0]["logicalLocations"] = [{"fullyQualifiedName": name}]
        yield result


def _uri(file: str) -> str:
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
