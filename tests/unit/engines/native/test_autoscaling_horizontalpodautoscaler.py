"""autoscaling/v2 HorizontalPodAutoscaler."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.engines.native.autoscaling_horizontalpodautoscaler import KIND

Obj = dict[str, Any]


def autoscaler(**fields: Any) -> Obj:
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web"},
        "spec": {"maxReplicas": 9, "unknown": []},
        **fields,
    }


def member(current: Any, desired: Any) -> Obj:
    return {"status": {"currentReplicas": current, "desiredReplicas": desired}}


def test_counts_are_summed_and_everything_else_is_cleared(ask: Any) -> None:
    obj = autoscaler(status={"currentReplicas": 1, "conditions": [{"type": "ScalingActive"}]})
    items = [member(2, 3), {}, {"status": None}, {"status": {"DESIREDREPLICAS": 1, "other": 5}}]
    want = autoscaler(status={"currentReplicas": 2, "desiredReplicas": 4})
    assert ask(KIND.aggregate_status, obj, items) == want


@pytest.mark.parametrize("items", [None, []])
def test_without_items_the_counts_are_zero(ask: Any, items: Any) -> None:
    obj = autoscaler(status={"currentReplicas": 1, "desiredReplicas": 1})
    assert ask(KIND.aggregate_status, obj, items)["status"] == {"desiredReplicas": 0}


@pytest.mark.parametrize(
    "status", [{}, None, {"desiredReplicas": 0}, {"currentReplicas": 0, "conditions": []}]
)
def test_an_old_status_that_says_the_same_stays(ask: Any, status: Any) -> None:
    obj = autoscaler(status=status)
    assert ask(KIND.aggregate_status, obj, []) == obj
    assert ask(KIND.aggregate_status, autoscaler(), [{}]) == autoscaler()


@pytest.mark.parametrize(
    ("status", "items", "path"),
    [
        ([], [], "status"),
        ({"currentReplicas": "1"}, [], "status.currentReplicas"),
        ({}, [{}, member(1.0, 1)], "items[1].status.currentReplicas"),
        ({}, [member(None, 2**31)], "items[0].status.desiredReplicas"),
        ({}, [5], "items[0]"),
    ],
)
def test_aggregation_of_wrong_types_is_an_error(
    refused: Any, status: Any, items: Any, path: str
) -> None:
    assert refused(KIND.aggregate_status, autoscaler(status=status), items).path == path


@pytest.mark.parametrize(
    ("fields", "want"),
    [
        ({}, None),
        ({"status": None}, None),
        ({"status": {}}, {"desiredReplicas": 0}),
        (
            {"status": {"currentReplicas": 3, "desiredReplicas": 5, "lastScaleTime": "x"}},
            {"currentReplicas": 3, "desiredReplicas": 5},
        ),
        ({"status": {"currentReplicas": 0, "desiredReplicas": None}}, {"desiredReplicas": 0}),
    ],
)
def test_two_counts_are_collected(ask: Any, fields: Obj, want: Any) -> None:
    assert ask(KIND.reflect_status, autoscaler(**fields)) == want


@pytest.mark.parametrize(
    ("status", "path"), [("x", "status"), ({"desiredReplicas": 1.5}, "status.desiredReplicas")]
)
def test_collection_of_wrong_types_is_an_error(refused: Any, status: Any, path: str) -> None:
    assert refused(KIND.reflect_status, autoscaler(status=status)).path == path
