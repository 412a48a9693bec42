"""apps/v1 ReplicaSet: what differs from the other workloads, and every operation once."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.api.results import Component, ReplicaRequirements, ReplicaResult
from interpreter.engines.native.apps_replicaset import KIND

Obj = dict[str, Any]
GENERATION = "resourcetemplate.karmada.io/generation"


def replicaset(spec: Any = None, status: Any = None, **metadata: Any) -> Obj:
    obj: Obj = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": "old", "namespace": "shop", **metadata},
        "unknown": [{}],
    }
    if spec is not None:
        obj["spec"] = spec
    if status is not None:
        obj["status"] = status
    return obj


POD = {
    "containers": [{"resources": {"limits": {"memory": "512Ki"}}}],
    "imagePullSecrets": [{"name": "pull"}],
}


def test_replicas_and_components_come_from_spec_and_template(ask: Any) -> None:
    obj = replicaset({"replicas": 4, "template": {"spec": POD}})
    needs = ReplicaRequirements(None, {"memory": "512Ki"})
    assert ask(KIND.get_replicas, obj) == ReplicaResult(4, needs)
    assert ask(KIND.get_components, obj) == [Component("old", 4, needs)]
    assert ask(KIND.get_replicas, replicaset()) == ReplicaResult(0)


def test_revision_writes_the_count(ask: Any) -> None:
    assert ask(KIND.revise_replica, replicaset({"replicas": 4, "x": None}), 0) == replicaset(
        {"replicas": 0, "x": None}
    )
    assert ask(KIND.revise_replica, replicaset({}), 3) == replicaset({})


def test_dependencies_come_from_the_template(ask: Any) -> None:
    (reference,) = ask(KIND.get_dependencies, replicaset({"template": {"spec": POD}}))
    assert reference.to_dict() == {
        "apiVersion": "v1",
        "kind": "Secret",
        "namespace": "shop",
        "name": "pull",
    }


@pytest.mark.parametrize(
    ("spec", "path"), [({"replicas": "4"}, "spec.replicas"), ({"template": 1}, "spec.template")]
)
def test_a_spec_of_wrong_types_is_an_error_with_its_path(
    refused: Any, spec: Any, path: str
) -> None:
    assert refused(KIND.get_replicas, replicaset(spec)).path == path


def member(**counts: Any) -> Obj:
    return {
        "status": {
            "generation": 1,
            "observedGeneration": 1,
            "resourceTemplateGeneration": 2,
            **counts,
        }
    }


ITEMS = [
    member(replicas=2, readyReplicas=1, fullyLabeledReplicas=2),
    member(replicas=1, availableReplicas=1),
]


def test_three_counters_are_summed_and_others_stay(ask: Any) -> None:
    old = {"fullyLabeledReplicas": 7, "conditions": [], "unknown": {}}
    assert ask(KIND.aggregate_status, replicaset({}, old, generation=2), ITEMS) == replicaset(
        {},
        {
            **old,
            "replicas": 3,
            "readyReplicas": 1,
            "availableReplicas": 1,
            "observedGeneration": 2,
        },
        generation=2,
    )


def test_the_count_is_written_even_when_it_is_zero(ask: Any) -> None:
    obj = replicaset({}, {"replicas": 2, "readyReplicas": 2, "availableReplicas": 2}, generation=2)
    for items in (None, []):
        aggregated = ask(KIND.aggregate_status, obj, items)
        assert aggregated["status"] == {"replicas": 0, "observedGeneration": 2}


@pytest.mark.parametrize(
    "late",
    [{}, {"status": None}, member(observedGeneration=0), member(resourceTemplateGeneration=1)],
)
def test_a_member_that_lags_behind_keeps_the_old_generation(ask: Any, late: Obj) -> None:
    obj = replicaset({}, {"observedGeneration": 1}, generation=2)
    assert ask(KIND.aggregate_status, obj, [*ITEMS, late])["status"]["observedGeneration"] == 1


def test_a_status_that_says_the_same_is_left_as_it_is(ask: Any) -> None:
    status = {"replicas": 3, "readyReplicas": 1.0, "availableReplicas": 1, "observedGeneration": 2}
    obj = replicaset({}, status, generation=2)
    assert repr(ask(KIND.aggregate_status, obj, ITEMS)) == repr(obj)


def test_a_member_counter_of_a_wrong_type_is_an_error(refused: Any) -> None:
    error = refused(KIND.aggregate_status, replicaset({}), [{}, member(availableReplicas="1")])
    assert error.path == "items[1].status.availableReplicas"


def test_counters_and_generations_are_collected(ask: Any) -> None:
    obj = replicaset(
        {},
        {"readyReplicas": 2, "observedGeneration": 1, "fullyLabeledReplicas": 2},
        annotations={GENERATION: "6"},
        generation=3,
    )
    assert ask(KIND.reflect_status, obj) == {
        "replicas": 0,
        "readyReplicas": 2,
        "observedGeneration": 1,
        "generation": 3,
        "resourceTemplateGeneration": 6,
    }


def test_without_a_status_nothing_is_collected(ask: Any, refused: Any) -> None:
    assert ask(KIND.reflect_status, replicaset({})) is None
    assert refused(KIND.reflect_status, replicaset({}, {})).path.startswith("metadata.annotations")


FAILURE = {"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": "quota"}


def rollout(spec: Any = None, **status: Any) -> Obj:
    return replicaset(
        {"replicas": 2, **(spec or {})},
        {"observedGeneration": 1, "availableReplicas": 2, **status},
        generation=1,
    )


@pytest.mark.parametrize(
    ("obj", "want"),
    [
        pytest.param(
            rollout(), ("Healthy", "ReplicasAvailable", "2 replicas are available", True), id="done"
        ),
        pytest.param(
            replicaset(),
            ("Healthy", "ReplicasAvailable", "0 replicas are available", True),
            id="nothing wanted",
        ),
        pytest.param(
            rollout(availableReplicas=None),
            ("Progressing", "ReplicasUnavailable", "0 of 2 replicas are available", False),
            id="unavailable",
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
            rollout(observedGeneration=2),
            ("Healthy", "ReplicasAvailable", "2 replicas are available", False),
            id="a newer generation was observed",
        ),
        pytest.param(
            rollout(conditions=[FAILURE]),
            ("Degraded", "FailedCreate", "quota", True),
            id="failed to create one more",
        ),
        pytest.param(
            rollout(conditions=[{**FAILURE, "reason": None}], availableReplicas=1),
            ("Degraded", "ReplicaFailure", "quota", False),
            id="failed without a reason",
        ),
        pytest.param(
            rollout(conditions=[{**FAILURE, "status": "False"}]),
            ("Healthy", "ReplicasAvailable", "2 replicas are available", True),
            id="recovered",
        ),
    ],
)
def test_health_needs_the_wanted_replicas_available(
    ask: Any, obj: Obj, want: tuple[Any, ...]
) -> None:
    health = ask(KIND.interpret_health, obj)
    assert (health.status, health.reason, health.message, health.healthy) == want


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (rollout(availableReplicas="2"), "status.availableReplicas"),
        (rollout(conditions=[{"type": []}]), "status.conditions[0].type"),
        (rollout({"replicas": []}), "spec.replicas"),
        (replicaset([]), "spec"),
    ],
)
def test_health_of_wrong_types_is_an_error_with_its_path(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.interpret_health, obj).path == path


def test_there_is_no_rule_for_retention_and_pruning() -> None:
    assert KIND.retain is None
    assert KIND.prune_rule is None
