"""apps/v1 DaemonSet."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.engines.native.apps_daemonset import KIND

Obj = dict[str, Any]
GENERATION = "resourcetemplate.karmada.io/generation"
ALWAYS = {
    "currentNumberScheduled": 0,
    "numberMisscheduled": 0,
    "desiredNumberScheduled": 0,
    "numberReady": 0,
}


def daemonset(spec: Any = None, status: Any = None, **metadata: Any) -> Obj:
    obj: Obj = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent", "namespace": "ops", **metadata},
        "unknown": [],
    }
    if spec is not None:
        obj["spec"] = spec
    if status is not None:
        obj["status"] = status
    return obj


def member(**counts: Any) -> Obj:
    seen = {"generation": 1, "observedGeneration": 1, "resourceTemplateGeneration": 4}
    return {"clusterName": "a", "status": {**seen, **counts}}


def test_seven_counters_are_summed_and_others_stay(ask: Any) -> None:
    old = {"collisionCount": 1, "conditions": [{"type": "A"}]}
    items = [
        member(currentNumberScheduled=2, desiredNumberScheduled=3, numberUnavailable=1),
        member(desiredNumberScheduled=4, numberReady=2, numberMisscheduled=1),
        member(updatedNumberScheduled=5, numberAvailable=5),
    ]
    assert ask(KIND.aggregate_status, daemonset({}, old, generation=4), items) == daemonset(
        {},
        {
            **old,
            "currentNumberScheduled": 2,
            "desiredNumberScheduled": 7,
            "numberUnavailable": 1,
            "numberReady": 2,
            "numberMisscheduled": 1,
            "updatedNumberScheduled": 5,
            "numberAvailable": 5,
            "observedGeneration": 4,
        },
        generation=4,
    )


@pytest.mark.parametrize("items", [None, []])
def test_without_items_four_counters_are_written_as_zero(ask: Any, items: Any) -> None:
    obj = daemonset({}, {"numberReady": 3, "numberAvailable": 3}, generation=4)
    assert ask(KIND.aggregate_status, obj, items)["status"] == {**ALWAYS, "observedGeneration": 4}


@pytest.mark.parametrize(
    "late", [{}, member(observedGeneration=0), member(resourceTemplateGeneration=3)]
)
def test_a_member_that_lags_behind_keeps_the_old_generation(ask: Any, late: Obj) -> None:
    obj = daemonset({}, {"observedGeneration": 2}, generation=4)
    aggregated = ask(KIND.aggregate_status, obj, [member(numberReady=1), late])
    assert aggregated["status"] == {**ALWAYS, "numberReady": 1, "observedGeneration": 2}


def test_the_replicas_of_the_spec_are_not_read(ask: Any) -> None:
    obj = daemonset({"replicas": "x"})
    assert ask(KIND.aggregate_status, obj, []) == obj


@pytest.mark.parametrize(
    ("obj", "items", "path"),
    [
        (daemonset(), [member(numberReady="1")], "items[0].status.numberReady"),
        (daemonset(None, {"numberReady": {}}), [], "status.numberReady"),
        (daemonset(None, 5), None, "status"),
    ],
)
def test_aggregation_of_wrong_types_is_an_error(
    refused: Any, obj: Obj, items: Any, path: str
) -> None:
    assert refused(KIND.aggregate_status, obj, items).path == path


def test_counters_and_generations_are_collected(ask: Any) -> None:
    obj = daemonset(
        {},
        {"numberReady": 2, "numberUnavailable": 0, "observedGeneration": 5, "conditions": []},
        annotations={GENERATION: "8"},
        generation=5,
    )
    assert ask(KIND.reflect_status, obj) == {
        **ALWAYS,
        "numberReady": 2,
        "observedGeneration": 5,
        "generation": 5,
        "resourceTemplateGeneration": 8,
    }
    assert ask(KIND.reflect_status, daemonset({})) is None


def test_dependencies_come_from_the_template(ask: Any) -> None:
    pod = {"volumes": [{"configMap": {"name": "conf"}}], "serviceAccountName": "agent"}
    found = ask(KIND.get_dependencies, daemonset({"template": {"spec": pod}}))
    assert [(ref.kind, ref.namespace, ref.name) for ref in found] == [
        ("ConfigMap", "ops", "conf"),
        ("ServiceAccount", "ops", "agent"),
    ]
    assert ask(KIND.get_dependencies, daemonset()) == []


def rollout(spec: Any = None, **status: Any) -> Obj:
    done = {
        "observedGeneration": 1,
        "desiredNumberScheduled": 3,
        "updatedNumberScheduled": 3,
        "numberAvailable": 3,
    }
    return daemonset(spec or {}, {**done, **status}, generation=1)


MANUAL = {"updateStrategy": {"type": "OnDelete"}}


@pytest.mark.parametrize(
    ("obj", "want"),
    [
        pytest.param(
            rollout(), ("Healthy", "RolloutComplete", "3 pods are available", True), id="complete"
        ),
        pytest.param(
            daemonset(),
            ("Healthy", "RolloutComplete", "0 pods are available", True),
            id="no node wants it",
        ),
        pytest.param(
            rollout(observedGeneration=0),
            (
                "Progressing",
                "StaleGeneration",
                "waiting for generation 1 to be observed, seen is 0",
                False,
            ),
            id="stale",
        ),
        pytest.param(
            rollout(updatedNumberScheduled=1, numberAvailable=2),
            ("Progressing", "PodsUpdating", "1 of 3 pods are updated", False),
            id="updating",
        ),
        pytest.param(
            rollout(numberAvailable=2),
            ("Progressing", "PodsUnavailable", "2 of 3 pods are available", False),
            id="unavailable",
        ),
        pytest.param(
            rollout(MANUAL, updatedNumberScheduled=0),
            ("Healthy", "RolloutComplete", "3 pods are available", False),
            id="updated by hand: the reference waits for updates that nobody makes",
        ),
        pytest.param(
            rollout(MANUAL, updatedNumberScheduled=0, numberAvailable=1),
            ("Progressing", "PodsUnavailable", "1 of 3 pods are available", False),
            id="updated by hand and unavailable",
        ),
        pytest.param(
            rollout(observedGeneration=2),
            ("Healthy", "RolloutComplete", "3 pods are available", False),
            id="a newer generation was observed",
        ),
    ],
)
def test_health_follows_the_rollout(ask: Any, obj: Obj, want: tuple[Any, ...]) -> None:
    health = ask(KIND.interpret_health, obj)
    assert (health.status, health.reason, health.message, health.healthy) == want


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (rollout(numberAvailable="3"), "status.numberAvailable"),
        (rollout(observedGeneration=[]), "status.observedGeneration"),
        (rollout({"updateStrategy": []}), "spec.updateStrategy"),
        (rollout({"updateStrategy": {"type": 5}}), "spec.updateStrategy.type"),
        (daemonset({}, 1), "status"),
        ({"metadata": {"generation": True}}, "metadata.generation"),
    ],
)
def test_health_of_wrong_types_is_an_error_with_its_path(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.interpret_health, obj).path == path


def test_a_daemonset_has_no_replicas() -> None:
    assert KIND.get_replicas is KIND.get_components is KIND.revise_replica is KIND.retain is None
