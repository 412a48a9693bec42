"""apps/v1 StatefulSet: what differs from the other workloads, and every operation once."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.api.results import Component, ReplicaRequirements, ReplicaResult
from interpreter.engines.native.apps_statefulset import KIND

Obj = dict[str, Any]
GENERATION = "resourcetemplate.karmada.io/generation"


def statefulset(spec: Any = None, status: Any = None, **metadata: Any) -> Obj:
    obj: Obj = {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "db", "namespace": "shop", **metadata},
        "unknown": {"": None},
    }
    if spec is not None:
        obj["spec"] = spec
    if status is not None:
        obj["status"] = status
    return obj


def test_replicas_and_components_come_from_spec_and_template(ask: Any) -> None:
    pod = {"containers": [{"resources": {"requests": {"cpu": "1500m"}}}]}
    obj = statefulset({"replicas": 2, "template": {"spec": pod}})
    needs = ReplicaRequirements(None, {"cpu": "1500m"})
    assert ask(KIND.get_replicas, obj) == ReplicaResult(2, needs)
    assert ask(KIND.get_components, obj) == [Component("db", 2, needs)]


def test_revision_writes_the_count(ask: Any) -> None:
    assert ask(KIND.revise_replica, statefulset({"replicas": 1}), 5) == statefulset({"replicas": 5})
    assert ask(KIND.revise_replica, statefulset({"x": 1}), 5) == statefulset({"x": 1})


# --- Dependencies --------------------------------------------------------------------------------


def claims(*names: str) -> Obj:
    return {
        "volumes": [{"persistentVolumeClaim": {"claimName": name}} for name in names],
        "containers": [{"envFrom": [{"secretRef": {"name": "data"}}]}],
    }


def dependent(templates: Any) -> Obj:
    spec = {"template": {"spec": claims("data", "shared")}, "volumeClaimTemplates": templates}
    return statefulset(spec)


@pytest.mark.parametrize(
    ("templates", "want"),
    [
        pytest.param(None, ["Secret data", "Claim data", "Claim shared"], id="null"),
        pytest.param([], ["Secret data", "Claim data", "Claim shared"], id="none"),
        pytest.param([None, {}], ["Secret data", "Claim data", "Claim shared"], id="nameless"),
        pytest.param(
            [{"metadata": {"name": "data"}}], ["Secret data", "Claim shared"], id="one of its own"
        ),
        pytest.param(
            [{"metadata": {"name": "shared"}}, {"metadata": {"name": "data"}}],
            ["Secret data"],
            id="all of its own",
        ),
    ],
)
def test_claims_that_the_set_makes_itself_do_not_travel(
    ask: Any, templates: Any, want: list[str]
) -> None:
    found = ask(KIND.get_dependencies, dependent(templates))
    assert [f"{ref.kind.removeprefix('PersistentVolume')} {ref.name}" for ref in found] == want


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (dependent("x"), "spec.volumeClaimTemplates"),
        (dependent([{}, "x"]), "spec.volumeClaimTemplates[1]"),
        (dependent([{"metadata": []}]), "spec.volumeClaimTemplates[0].metadata"),
        (dependent([{"metadata": {"name": 1}}]), "spec.volumeClaimTemplates[0].metadata.name"),
        (statefulset([]), "spec"),
    ],
)
def test_a_claim_template_of_a_wrong_type_is_an_error(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.get_dependencies, obj).path == path


# --- Aggregation ---------------------------------------------------------------------------------


def member(**counts: Any) -> Obj:
    return {"status": {"generation": 3, "resourceTemplateGeneration": 3, **counts}}


def test_five_counters_are_summed_and_others_stay(ask: Any) -> None:
    old = {"updateRevision": "db-2", "collisionCount": 0, "mine": []}
    items = [
        member(replicas=1, readyReplicas=1, currentReplicas=1, observedGeneration=3),
        member(replicas=2, updatedReplicas=2, availableReplicas=2, observedGeneration=4),
    ]
    assert ask(KIND.aggregate_status, statefulset({}, old, generation=9), items) == statefulset(
        {},
        {
            **old,
            "replicas": 3,
            "readyReplicas": 1,
            "currentReplicas": 1,
            "updatedReplicas": 2,
            "availableReplicas": 2,
            "observedGeneration": 9,
        },
        generation=9,
    )


@pytest.mark.parametrize(
    ("status", "want"),
    [
        pytest.param({"generation": 3, "resourceTemplateGeneration": 3}, 1, id="never observed"),
        pytest.param(
            {"generation": 3, "observedGeneration": 3, "resourceTemplateGeneration": 3},
            9,
            id="the template's generation does not count",
        ),
        pytest.param(
            {"generation": 3, "observedGeneration": 3, "resourceTemplateGeneration": 2},
            1,
            id="made from an older template than its own generation",
        ),
        pytest.param(
            {"generation": 3, "observedGeneration": 2, "resourceTemplateGeneration": 9},
            1,
            id="stale",
        ),
        pytest.param({}, 9, id="says nothing"),
        pytest.param(None, 1, id="no status"),
    ],
)
def test_a_member_counts_as_observed_by_its_own_generation(
    ask: Any, status: Any, want: int
) -> None:
    obj = statefulset({}, {"observedGeneration": 1}, generation=9)
    aggregated = ask(KIND.aggregate_status, obj, [{"status": status}])
    assert aggregated["status"]["observedGeneration"] == want


@pytest.mark.parametrize("items", [None, []])
def test_without_items_two_counters_are_written_as_zero(ask: Any, items: Any) -> None:
    obj = statefulset({}, {"replicas": 2, "readyReplicas": 2}, generation=1)
    assert ask(KIND.aggregate_status, obj, items)["status"] == {
        "replicas": 0,
        "availableReplicas": 0,
        "observedGeneration": 1,
    }


def test_aggregation_of_wrong_types_is_an_error_with_its_path(refused: Any) -> None:
    for items, path in (
        ([member(currentReplicas=1.0)], "items[0].status.currentReplicas"),
        ([{}, {"status": "x"}], "items[1].status"),
    ):
        assert refused(KIND.aggregate_status, statefulset({}), items).path == path
    assert refused(KIND.aggregate_status, statefulset({}, {"replicas": []}), []).path == (
        "status.replicas"
    )


def test_the_observed_generation_is_not_collected(ask: Any) -> None:
    obj = statefulset(
        {},
        {"observedGeneration": 3, "readyReplicas": 1, "currentReplicas": 0, "updateRevision": "x"},
        annotations={GENERATION: "2"},
        generation=3,
    )
    assert ask(KIND.reflect_status, obj) == {
        "generation": 3,
        "resourceTemplateGeneration": 2,
        "replicas": 0,
        "readyReplicas": 1,
        "availableReplicas": 0,
    }


# --- Health --------------------------------------------------------------------------------------


def rollout(spec: Any = None, **status: Any) -> Obj:
    done = {
        "observedGeneration": 2,
        "replicas": 3,
        "readyReplicas": 3,
        "updatedReplicas": 3,
        "availableReplicas": 3,
        "currentRevision": "db-2",
        "updateRevision": "db-2",
    }
    return statefulset({"replicas": 3, **(spec or {})}, {**done, **status}, generation=2)


def partition(number: Any) -> Obj:
    return {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": number}}}


MANUAL = {"updateStrategy": {"type": "OnDelete"}}


@pytest.mark.parametrize(
    ("obj", "want"),
    [
        pytest.param(
            rollout(), ("Healthy", "RolloutComplete", "3 replicas are ready", True), id="complete"
        ),
        pytest.param(
            statefulset(),
            ("Healthy", "RolloutComplete", "0 replicas are ready", True),
            id="nothing wanted",
        ),
        pytest.param(
            rollout(observedGeneration=1),
            (
                "Progressing",
                "StaleGeneration",
                "waiting for generation 2 to be observed, seen is 1",
                False,
            ),
            id="stale",
        ),
        pytest.param(
            rollout(readyReplicas=2, availableReplicas=2),
            ("Progressing", "ReplicasNotReady", "2 of 3 replicas are ready", False),
            id="not ready",
        ),
        pytest.param(
            rollout(updatedReplicas=1),
            ("Progressing", "ReplicasUpdating", "1 of 3 replicas are updated", False),
            id="updating",
        ),
        pytest.param(
            rollout(MANUAL, updatedReplicas=0, updateRevision="db-3"),
            ("Healthy", "ReplicasReady", "3 replicas are ready", False),
            id="updated by hand: the reference waits for updates that nobody makes",
        ),
        pytest.param(
            rollout(partition(2), updatedReplicas=1, updateRevision="db-3"),
            ("Healthy", "RolloutComplete", "3 replicas are ready", False),
            id="updated up to the partition: the reference does not know it",
        ),
        pytest.param(
            rollout(partition(1), updatedReplicas=1),
            ("Progressing", "ReplicasUpdating", "1 of 2 replicas are updated", False),
            id="updating up to the partition",
        ),
        pytest.param(
            rollout(partition(0), updateRevision="db-3"),
            ("Healthy", "RolloutComplete", "3 replicas are ready", True),
            id="with rollingUpdate the counts tell all",
        ),
        pytest.param(
            rollout(partition(9), updatedReplicas=0),
            ("Healthy", "RolloutComplete", "3 replicas are ready", False),
            id="a partition beyond all replicas",
        ),
        pytest.param(
            rollout(updateRevision="db-3"),
            (
                "Progressing",
                "RevisionPending",
                "waiting for the rolling update to revision db-3 to complete",
                True,
            ),
            id="the revision is not current yet",
        ),
        pytest.param(
            rollout({"replicas": None}),
            ("Healthy", "RolloutComplete", "3 replicas are ready", True),
            id="no count wanted",
        ),
        pytest.param(
            rollout(observedGeneration=3),
            ("Healthy", "RolloutComplete", "3 replicas are ready", False),
            id="a newer generation was observed",
        ),
    ],
)
def test_health_follows_the_rolling_update(ask: Any, obj: Obj, want: tuple[Any, ...]) -> None:
    health = ask(KIND.interpret_health, obj)
    assert (health.status, health.reason, health.message, health.healthy) == want


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (rollout(readyReplicas=[]), "status.readyReplicas"),
        (rollout(updateRevision=5), "status.updateRevision"),
        (rollout(currentRevision={}), "status.currentRevision"),
        (rollout({"updateStrategy": "x"}), "spec.updateStrategy"),
        (rollout({"updateStrategy": {"type": 1}}), "spec.updateStrategy.type"),
        (rollout({"updateStrategy": {"rollingUpdate": 1}}), "spec.updateStrategy.rollingUpdate"),
        (rollout(partition("1")), "spec.updateStrategy.rollingUpdate.partition"),
    ],
)
def test_health_of_wrong_types_is_an_error_with_its_path(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.interpret_health, obj).path == path


def test_a_message_stays_on_one_line(ask: Any) -> None:
    assert "\n" not in ask(KIND.interpret_health, rollout(updateRevision="a\nb")).message
