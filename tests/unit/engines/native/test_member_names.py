"""Statuses of members: field names in any case."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import ResourceInterpreter
from interpreter.engines.native.statuses import fold_names

FIELDS = frozenset({"replicas", "readyReplicas"})


@pytest.mark.parametrize(
    ("status", "want"),
    [
        ({"replicas": 1}, {"replicas": 1}),
        ({"Replicas": 1, "READYREPLICAS": 2}, {"replicas": 1, "readyReplicas": 2}),
        ({"Replicas": 2, "replicas": 1}, {"replicas": 1}),
        ({"replicas": 1, "Replicas": 2}, {"replicas": 2}),
        ({"replicas": 1, "Replicas": None}, {"replicas": 1}),
        ({"Replicas": None, "replicas": 1}, {"replicas": 1}),
        ({"other": 1, "REPLICAS": None}, {"other": 1, "replicas": None}),
    ],
)
def test_of_several_spellings_the_last_that_is_set_counts(status: Any, want: Any) -> None:
    assert fold_names(status, FIELDS) == want


def test_a_status_without_other_names_is_not_copied() -> None:
    status = {"replicas": 1}
    assert fold_names(status, FIELDS) is status


@pytest.mark.parametrize("truth", ["true", "TRUE", " True", "Yes"])
def test_a_condition_is_true_only_if_it_says_so_exactly(truth: str) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": truth}]},
    }
    assert not ResourceInterpreter(plugins=None).interpret_health(pod).healthy
