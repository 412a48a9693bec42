"""The scripts on the cases beside them, as files and as the installed pack."""

from __future__ import annotations

from pathlib import Path

from interpreter.testing import (
    assert_conforms,
    custom_resource,
    discover,
    run,
    run_plugin_cases,
)

SCRIPTS = Path(__file__).parents[1] / "src"


def test_every_line_of_the_scripts_is_run_by_a_case() -> None:
    report = run(discover([SCRIPTS]).suites, coverage=True)
    assert report.ok(), report.text()
    assert [one.label for one in report.coverage() if one.missed] == []


def test_the_installed_pack_answers_as_the_files_do() -> None:
    report = run_plugin_cases(SCRIPTS, plugins=["crontab-lua"])
    assert report.ok(), report.text()


def test_the_pack_conforms() -> None:
    table = custom_resource("stable.example.com/v1", "CronTab", spec={"replicas": 2})
    assert_conforms("crontab-lua", table)
