"""Findings written down, for people and for programs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from interpreter.authoring.lint import reports
from interpreter.authoring.lint.checking import Report
from interpreter.authoring.lint.findings import RULES, Finding, Level

REPORT = Report(
    (
        Finding(
            "a b.yaml", 3, 5, "syntax-error", "100% wrong,\nhere: there", "widget", "retention"
        ),
        Finding("a b.yaml", 12, 1, "unused-local", "local x is never used"),
        Finding("c/d.lua", 1, 2, "not-portable", "no gsub there", "v1/Pod", "retain.lua"),
    ),
    files=2,
    scripts=3,
)
NOTHING = Report((), files=1, scripts=1)


def test_the_table_groups_by_file_and_aligns_columns() -> None:
    assert reports.table(REPORT).splitlines() == [
        "a b.yaml",
        r"   3:5  error    syntax-error  100% wrong,\nhere: there",
        "  12:1  warning  unused-local  local x is never used",
        "",
        "c/d.lua",
        "  1:2  note     not-portable  no gsub there",
        "",
        "1 error, 1 warning, 1 note in 3 scripts of 2 files",
    ]
    assert reports.table(NOTHING) == "no findings in 1 script of 1 file"


def test_json_has_every_field_and_the_counts() -> None:
    shown = reports.as_json(REPORT)
    assert shown["summary"] == {"errors": 1, "warnings": 1, "notes": 1, "scripts": 3, "files": 2}
    assert shown["findings"][2] == {
        "rule": "not-portable",
        "level": "note",
        "message": "no gsub there",
        "file": "c/d.lua",
        "line": 1,
        "column": 2,
        "customization": "v1/Pod",
        "script": "retain.lua",
    }


def test_github_commands_escape_what_would_end_them() -> None:
    assert reports.github(REPORT).splitlines() == [
        "::error file=a b.yaml,line=3,col=5,title=syntax-error::100%25 wrong,%0Ahere: there",
        "::warning file=a b.yaml,line=12,col=1,title=unused-local::local x is never used",
        "::notice file=c/d.lua,line=1,col=2,title=not-portable::no gsub there",
    ]


def required(value: dict[str, Any], *names: str) -> list[Any]:
    assert set(names) <= set(value)
    return [value[name] for name in names]


@pytest.mark.parametrize("report", [REPORT, NOTHING], ids=["findings", "none"])
def test_sarif_has_the_properties_that_version_2_1_0_requires(report: Report) -> None:
    """Those of sarifLog, run, tool, toolComponent, reportingDescriptor, result, location."""
    log = reports.sarif(report)
    version, runs = required(log, "version", "runs")
    assert version == "2.1.0"
    (run,) = runs
    tool, results = required(run, "tool", "results")
    (driver,) = required(tool, "driver")
    name, rules = required(driver, "name", "rules")
    assert name == "interpret check"
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    ids = [required(rule, "id")[0] for rule in rules]
    assert len(set(ids)) == len(ids)
    assert set(ids) <= set(RULES)
    for rule in rules:
        assert rule["shortDescription"]["text"].endswith(".")
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    assert len(results) == len(report.findings)
    for result, finding in zip(results, report.findings, strict=True):
        message, level, index = required(result, "message", "level", "ruleIndex")
        assert message["text"] == finding.message
        assert level in ("none", "note", "warning", "error")
        assert ids[index] == result["ruleId"] == finding.rule
        (location,) = result["locations"]
        physical = location["physicalLocation"]
        assert " " not in physical["artifactLocation"]["uri"]
        assert physical["region"] == {"startLine": finding.line, "startColumn": finding.column}
        assert min(physical["region"].values()) >= 1


def test_sarif_paths_are_uris_and_scripts_have_full_names() -> None:
    first, second, third = reports.sarif(REPORT)["runs"][0]["results"]
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.yaml"
    assert first["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "widget/retention"}]
    assert "logicalLocations" not in second["locations"][0]
    assert third["locations"][0]["logicalLocations"] == [
        {"fullyQualifiedName": "v1/Pod/retain.lua"}
    ]
    absolute = Report((Finding("/tmp/x y.lua", 1, 1, "syntax-error", "m"),), 1, 1)
    location = reports.sarif(absolute)["runs"][0]["results"][0]["locations"][0]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "file:///tmp/x%20y.lua"


def test_rule_ids_are_kebab_case_and_summaries_are_sentences() -> None:
    for rule in RULES.values():
        assert rule.id == rule.id.lower().replace("_", "-").replace(" ", "-")
        assert rule.summary.endswith((".", "script."))
        assert isinstance(rule.level, Level)


def test_the_page_lists_every_rule_with_its_level() -> None:
    page = (Path(__file__).parents[3] / "docs" / "check.md").read_text()
    listed = re.findall(r"^\| `([a-z-]+)` \| (\w+) \| (.+) \|$", page, re.MULTILINE)
    assert listed == [(rule.id, rule.level.value, rule.summary) for rule in RULES.values()]
