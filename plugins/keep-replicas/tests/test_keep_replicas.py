"""The cases beside this file, and everything that a control plane relies on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from keep_replicas import AUTOSCALER

from interpreter import Operation
from interpreter.testing import (
    Example,
    assert_conforms,
    deployment,
    member_copy,
    run_plugin_cases,
    statefulset,
)

SCALED = {
    "manager": AUTOSCALER,
    "operation": "Update",
    "subresource": "scale",
    "fieldsV1": {"f:spec": {"f:replicas": {}}},
}


def scaled(template: dict[str, Any]) -> Example:
    """A template, and its copies in members: as applied, and scaled there."""
    copies = (
        member_copy(template),
        member_copy(template, spec={"replicas": 9}, managers=[SCALED]),
    )
    return Example(template, observed=copies)


def test_the_cases_hold_and_every_hook_has_one() -> None:
    report = run_plugin_cases(Path(__file__).with_name("cases"), plugins=["keep-replicas"])
    assert report.ok(), report.text()


def test_keep_replicas_conforms() -> None:
    assert_conforms("keep-replicas", scaled(deployment()), scaled(statefulset()))


def test_other_operations_stay_with_the_native_tier(make_interpreter: Any) -> None:
    ri = make_interpreter("keep-replicas")
    explanation = ri.explain(deployment(replicas=3), Operation.GET_REPLICAS)
    assert explanation.by.tier == "native"
