"""The public test kit: scripts run on data-driven cases that lie beside them.

The room reads cases (``cases``, ``karmada_cases``), finds them (``discovery``), runs them
(``runner``), compares answers (``comparison``, ``checking``) and writes what came out (``report``,
``junit``, ``coverage``, ``updating``). Nothing in it prints; ``interpreter.cli.test`` does.

    from interpreter.testing import discover, run

    found = discover(["lua_scripts"])
    report = run(found.suites)
    assert report.ok(), report.text()
"""

from __future__ import annotations

from interpreter.testing.cases import Case, Expectation
from interpreter.testing.discovery import Found, discover
from interpreter.testing.report import Outcome, Report
from interpreter.testing.runner import run
from interpreter.testing.suites import Rule, ScriptFile, Suite

__all__ = [
    "Case",
    "Expectation",
    "Found",
    "Outcome",
    "Report",
    "Rule",
    "ScriptFile",
    "Suite",
    "discover",
    "run",
]
