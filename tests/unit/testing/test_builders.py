"""Builders: what they make is what interpreters read."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from interpreter import ResourceInterpreter
from interpreter.testing import (
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


@pytest.fixture(scope="module")
def ri() -> Any:
    with ResourceInterpreter(plugins=None) as made:
        yield made


@pytest.mark.parametrize(
    ("obj", "replicas"),
    [
        (deployment(replicas=3, requests={"cpu": "250m"}), 3),
        (statefulset(replicas=2, requests={"cpu": "250m"}), 2),
        (job(parallelism=2, completions=5, requests={"cpu": "250m"}), 2),
        (pod(requests={"cpu": "250m"}), 1),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else None,
)
def test_workloads_have_the_count_and_the_requests_that_were_asked_for(
    ri: Any, obj: Any, replicas: int
) -> None:
    answer = ri.get_replicas(obj)
    assert answer.replicas == replicas
    assert answer.requirements.resource_request == {"cpu": "250m"}


def test_what_is_given_wins_over_what_a_builder_knows() -> None:
    template = pod_template(container("a", env=[]), container("b"), serviceAccountName="robot")
    obj = deployment(
        "x",
        namespace="shop",
        template=template,
        spec={"selector": {}, "paused": True},
        labels={"tier": "web"},
        metadata={"generation": 4},
        status={"replicas": 1},
    )
    assert obj == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": "x",
            "namespace": "shop",
            "labels": {"tier": "web"},
            "generation": 4,
        },
        "spec": {
            "replicas": 1,
            "selector": {},
            "template": {
                "spec": {
                    "containers": [
                        {"name": "a", "image": "registry.example.com/app:1", "env": []},
                        {"name": "b", "image": "registry.example.com/app:1"},
                    ],
                    "serviceAccountName": "robot",
                }
            },
            "paused": True,
        },
        "status": {"replicas": 1},
    }


def test_objects_share_nothing_with_what_they_were_made_of() -> None:
    spec = {"nested": {"a": [1]}}
    template = pod_template()
    first = custom_resource("example.com/v1", "Widget", spec=spec, namespace="")
    second = deployment(template=template)
    first["spec"]["nested"]["a"].append(2)
    second["spec"]["template"]["spec"]["containers"].clear()
    assert spec == {"nested": {"a": [1]}}
    assert len(template["spec"]["containers"]) == 1
    assert first["metadata"] == {"name": "example"}


def test_items_of_statuses_are_aggregated(ri: Any) -> None:
    items = [
        *status_items({"replicas": 2, "readyReplicas": 1}, {"replicas": 1}),
        status_item("member3", applied=False, applied_message="refused", health="Unhealthy"),
    ]
    status = ri.aggregate_status(deployment(replicas=3), items)["status"]
    assert (status["replicas"], status["readyReplicas"]) == (3, 1)
    assert items[2] == {
        "clusterName": "member3",
        "applied": False,
        "appliedMessage": "refused",
        "health": "Unhealthy",
    }


def test_a_copy_in_a_member_has_what_its_api_server_wrote(ri: Any) -> None:
    template = deployment(replicas=2)
    observed = member_copy(
        template, generation=7, spec={"replicas": 5}, status={"replicas": 5}, managers=[{}]
    )
    assert template["spec"]["replicas"] == 2
    assert (observed["spec"]["replicas"], observed["metadata"]["generation"]) == (5, 7)
    assert observed["metadata"]["annotations"] == {"resourcetemplate.karmada.io/generation": "1"}
    assert ri.reflect_status(observed) == {
        "replicas": 5,
        "generation": 7,
        "resourceTemplateGeneration": 1,
    }


def test_conditions_say_true_false_or_unknown_since_when() -> None:
    assert condition("Ready", False, reason="NoImage", since=NOW + timedelta(seconds=1)) == {
        "type": "Ready",
        "status": "False",
        "reason": "NoImage",
        "lastTransitionTime": "2026-01-01T00:00:01Z",
    }
    assert condition(status=None, message="m", since=None) == {
        "type": "Ready",
        "status": "Unknown",
        "message": "m",
    }


def test_a_service_selects_its_namesake_and_a_context_has_a_clock_that_stands() -> None:
    assert service("web", port=8080)["spec"] == {
        "selector": {"app": "web"},
        "ports": [{"port": 8080, "protocol": "TCP"}],
        "type": "ClusterIP",
    }
    context = hook_context("m", labels={"a": "b"}, gates={"G": True})
    assert (context.cluster_name, context.cluster_labels, context.clock()) == ("m", {"a": "b"}, NOW)
