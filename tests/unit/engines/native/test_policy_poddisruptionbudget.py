"""policy/v1 PodDisruptionBudget."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.engines.native.policy_poddisruptionbudget import KIND

Obj = dict[str, Any]
ZEROS = {"currentHealthy": 0, "desiredHealthy": 0, "disruptionsAllowed": 0, "expectedPods": 0}
TIME = "2026-03-01T10:00:00Z"


def budget(status: Any = None, generation: Any = None) -> Obj:
    obj: Obj = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "spec": {"unknown": []}}
    if status is not None:
        obj["status"] = status
    if generation is not None:
        obj["metadata"] = {"generation": generation}
    return obj


def member(cluster: Any, **status: Any) -> Obj:
    return {"clusterName": cluster, "status": status}


def test_counts_are_summed_and_disrupted_pods_are_named_by_cluster(ask: Any) -> None:
    items = [
        member("a", currentHealthy=1, desiredHealthy=2, disruptedPods={"p": TIME, "q": None}),
        {"clusterName": "b"},
        member("c", EXPECTEDPODS=4, disruptedPods={"p": "2026-03-01T12:00:00.25+01:00"}),
    ]
    old = {"conditions": [{}], "observedGeneration": 3, "currentHealthy": 9}
    assert ask(KIND.aggregate_status, budget(old), items) == budget(
        {
            **ZEROS,
            "currentHealthy": 1,
            "desiredHealthy": 2,
            "expectedPods": 4,
            "disruptedPods": {"a/p": TIME, "a/q": None, "c/p": "2026-03-01T11:00:00Z"},
        }
    )


def test_without_items_the_counts_are_zero(ask: Any) -> None:
    for items in (None, []):
        assert ask(KIND.aggregate_status, budget({"currentHealthy": 1}), items) == budget(ZEROS)
        assert ask(KIND.aggregate_status, budget(), items) == budget()


@pytest.mark.parametrize("status", [{}, ZEROS, {"currentHealthy": 0, "conditions": []}])
def test_an_old_status_that_says_the_same_stays(ask: Any, status: Obj) -> None:
    for items in ([], [{}], [member("a", currentHealthy=0)]):
        assert ask(KIND.aggregate_status, budget(status), items) == budget(status)


@pytest.mark.parametrize(
    ("status", "items", "path"),
    [
        ([], [], "status"),
        ({"expectedPods": "1"}, [], "status.expectedPods"),
        ({"disruptedPods": []}, [], "status.disruptedPods"),
        ({}, [{}, member("a", expectedPods=1.0)], "items[1].status.expectedPods"),
        ({}, [member(5)], "items[0].clusterName"),
        ({}, [member("a", disruptedPods=[])], "items[0].status.disruptedPods"),
        ({}, [member("a", disruptedPods={"p": 5})], "items[0].status.disruptedPods.p"),
        ({}, [member("a", disruptedPods={"p": "now"})], "items[0].status.disruptedPods.p"),
    ],
)
def test_aggregation_of_wrong_types_is_an_error(
    refused: Any, status: Any, items: Any, path: str
) -> None:
    assert refused(KIND.aggregate_status, budget(status), items).path == path


@pytest.mark.parametrize(
    ("status", "want"),
    [
        (None, None),
        ({}, ZEROS),
        ({"disruptedPods": {}, "conditions": [{}], "observedGeneration": 2}, ZEROS),
        (
            {"currentHealthy": 2, "disruptedPods": {"p": TIME}},
            {**ZEROS, "currentHealthy": 2, "disruptedPods": {"p": TIME}},
        ),
    ],
)
def test_counts_and_disrupted_pods_are_collected(ask: Any, status: Any, want: Any) -> None:
    assert ask(KIND.reflect_status, budget(status)) == want


def test_a_null_status_is_nothing_to_collect(ask: Any) -> None:
    assert ask(KIND.reflect_status, {**budget(), "status": None}) is None


@pytest.mark.parametrize(
    ("status", "path"),
    [
        ("x", "status"),
        ({"currentHealthy": []}, "status.currentHealthy"),
        ({"disruptedPods": 5}, "status.disruptedPods"),
    ],
)
def test_collection_of_wrong_types_is_an_error(refused: Any, status: Any, path: str) -> None:
    assert refused(KIND.reflect_status, budget(status)).path == path


SYNC_FAILED = {
    "type": "DisruptionAllowed",
    "status": "False",
    "reason": "SyncFailed",
    "message": "no\ncontroller",
}


def guarded(current: int, **status: Any) -> Obj:
    counts = {"observedGeneration": 2, "currentHealthy": current, "desiredHealthy": 2}
    return budget({**counts, **status}, generation=2)


@pytest.mark.parametrize(
    ("obj", "want"),
    [
        pytest.param(
            guarded(2),
            ("Healthy", "SufficientPods", "2 pods are healthy, 2 are wanted", True),
            id="enough",
        ),
        pytest.param(
            budget(),
            ("Progressing", "NoStatus", "the budget has not been computed yet", True),
            id="no status: the reference finds no pods wanted",
        ),
        pytest.param(
            guarded(1),
            ("Progressing", "InsufficientPods", "1 pods are healthy, 2 are wanted", False),
            id="too few",
        ),
        pytest.param(
            guarded(2, observedGeneration=1),
            (
                "Progressing",
                "StaleGeneration",
                "waiting for generation 2 to be observed, seen is 1",
                True,
            ),
            id="stale: the reference counts pods only",
        ),
        pytest.param(
            guarded(1, observedGeneration=None),
            (
                "Progressing",
                "StaleGeneration",
                "waiting for generation 2 to be observed, seen is 0",
                False,
            ),
            id="never observed",
        ),
        pytest.param(
            guarded(2, conditions=[SYNC_FAILED]),
            ("Degraded", "SyncFailed", "no controller", True),
            id="the controller failed: the reference counts pods only",
        ),
        pytest.param(
            guarded(2, conditions=[{**SYNC_FAILED, "reason": "InsufficientPods"}, SYNC_FAILED]),
            ("Degraded", "SyncFailed", "no controller", True),
            id="a second condition of the type counts, too",
        ),
        pytest.param(
            guarded(0, conditions=[{**SYNC_FAILED, "reason": "InsufficientPods"}]),
            ("Progressing", "InsufficientPods", "0 pods are healthy, 2 are wanted", False),
            id="another reason",
        ),
    ],
)
def test_health_counts_pods(ask: Any, obj: Obj, want: tuple[Any, ...]) -> None:
    health = ask(KIND.interpret_health, obj)
    assert (health.status, health.reason, health.message, health.healthy) == want


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (budget([]), "status"),
        (guarded(2, desiredHealthy="2"), "status.desiredHealthy"),
        (guarded(2, observedGeneration={}), "status.observedGeneration"),
        (guarded(2, conditions=[{}, 5]), "status.conditions[1]"),
        (budget({}, generation="2"), "metadata.generation"),
    ],
)
def test_health_of_wrong_types_is_an_error(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.interpret_health, obj).path == path
