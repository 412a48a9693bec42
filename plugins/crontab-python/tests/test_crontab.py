"""The cases beside this file, and everything that a control plane relies on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from crontab_python import CronTab
from hypothesis import given

from interpreter.testing import (
    Case,
    assert_case,
    assert_conforms,
    condition,
    custom_resource,
    find_cases,
    run_plugin_cases,
    strategies,
)

CASES = Path(__file__).with_name("cases")
TABLE = custom_resource(
    "stable.example.com/v1",
    "CronTab",
    spec={"cronSpec": "* * * * *", "replicas": 2},
    status={"active": 2, "conditions": [condition("Ready", False, reason="ImagePullFailed")]},
)


@pytest.mark.parametrize("case", find_cases(CASES))
def test_case(case: Case, make_interpreter: Any) -> None:
    assert_case(case, make_interpreter("crontab-python"))


def test_every_hook_has_a_case() -> None:
    assert run_plugin_cases(CASES, plugins=["crontab-python"]).untested == []


def test_crontab_conforms() -> None:
    assert_conforms("crontab-python", TABLE)


@given(items=strategies.status_items())
def test_conditions_of_members_are_no_condition_of_the_table(items: list[Any]) -> None:
    aggregated = CronTab().aggregate_status(TABLE, items)
    assert aggregated["status"] == {"active": 0, "conditions": []}
