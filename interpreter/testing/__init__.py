"""The public test kit: for scripts, for plugins, and for who calls an interpreter.

* Cases: ``discover`` finds scripts and the cases beside them, ``run`` runs them;
  ``run_plugin_cases`` runs those of plugins; ``find_cases`` and ``assert_case`` are for a test of
  one's own.
* ``assert_conforms`` asks everything of a plugin that a control plane relies on.
* Builders of objects (``deployment``, ``custom_resource``, ``status_item``, …), and Hypothesis
  strategies for them in ``interpreter.testing.strategies``.
* Fixtures for pytest in ``interpreter.testing.pytest_plugin``.

Nothing in the room prints; ``interpreter.cli.test`` does. Names are imported at first use: pytest
loads this package wherever it is installed.

    from interpreter.testing import discover, run

    report = run(discover(["lua_scripts"]).suites)
    assert report.ok(), report.text()
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.testing.builders import (
        NOW,
        condition,
        container,
        custom_resource,
        deployment,
        hook_context,
        job,
        member_copy,
        pod,
        pod_template,
        service,
        statefulset,
        status_item,
        status_items,
    )
    from interpreter.testing.cases import Case, Expectation
    from interpreter.testing.conformance import CHECKS, assert_conforms, find_problems
    from interpreter.testing.conformance_run import Problem
    from interpreter.testing.discovery import Found, discover, find_cases
    from interpreter.testing.examples import Example
    from interpreter.testing.plugin_cases import (
        assert_case,
        plugin_suites,
        run_plugin_cases,
        strict_interpreter,
    )
    from interpreter.testing.report import Outcome, Report
    from interpreter.testing.runner import run
    from interpreter.testing.serving import served
    from interpreter.testing.suites import Rule, ScriptFile, Suite

_HOMES = {
    "CHECKS": "conformance",
    "Case": "cases",
    "Example": "examples",
    "Expectation": "cases",
    "Found": "discovery",
    "NOW": "builders",
    "Outcome": "report",
    "Problem": "conformance_run",
    "Report": "report",
    "Rule": "suites",
    "ScriptFile": "suites",
    "Suite": "suites",
    "assert_case": "plugin_cases",
    "assert_conforms": "conformance",
    "condition": "builders",
    "container": "builders",
    "custom_resource": "builders",
    "deployment": "builders",
    "discover": "discovery",
    "find_cases": "discovery",
    "find_problems": "conformance",
    "hook_context": "builders",
    "job": "builders",
    "member_copy": "builders",
    "pod": "builders",
    "plugin_suites": "plugin_cases",
    "pod_template": "builders",
    "run": "runner",
    "run_plugin_cases": "plugin_cases",
    "served": "serving",
    "service": "builders",
    "statefulset": "builders",
    "status_item": "builders",
    "status_items": "builders",
    "strict_interpreter": "plugin_cases",
}

__all__ = [
    "CHECKS",
    "NOW",
    "Case",
    "Example",
    "Expectation",
    "Found",
    "Outcome",
    "Problem",
    "Report",
    "Rule",
    "ScriptFile",
    "Suite",
    "assert_case",
    "assert_conforms",
    "condition",
    "container",
    "custom_resource",
    "deployment",
    "discover",
    "find_cases",
    "find_problems",
    "hook_context",
    "job",
    "member_copy",
    "plugin_suites",
    "pod",
    "pod_template",
    "run",
    "run_plugin_cases",
    "served",
    "service",
    "statefulset",
    "status_item",
    "status_items",
    "strict_interpreter",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
