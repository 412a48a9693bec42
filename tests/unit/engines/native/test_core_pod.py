"""v1 Pod."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.api.results import Component, NodeClaim, ReplicaRequirements, ReplicaResult
from interpreter.engines.native.core_pod import KIND

Obj = dict[str, Any]


def pod(spec: Any = None, **fields: Any) -> Obj:
    obj = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "shop"},
        "unknown": {"a": []},
        **fields,
    }
    return obj if spec is None else {**obj, "spec": spec}


def test_a_pod_is_one_replica_with_its_own_requirements(ask: Any) -> None:
    assert ask(KIND.get_replicas, pod()) == ReplicaResult(1)
    spec = {"nodeSelector": {"a": "b"}, "containers": [{"resources": {"limits": {"cpu": "2"}}}]}
    needs = ReplicaRequirements(NodeClaim(None, {"a": "b"}, ()), {"cpu": "2"})
    assert ask(KIND.get_replicas, pod(spec)) == ReplicaResult(1, needs)
    assert ask(KIND.get_components, pod(spec)) == [Component("p", 1, needs)]


def test_dependencies_come_from_the_spec(ask: Any) -> None:
    spec = {"serviceAccountName": "sa", "imagePullSecrets": [{"name": "pull"}]}
    found = ask(KIND.get_dependencies, pod(spec))
    assert [(ref.kind, ref.namespace, ref.name) for ref in found] == [
        ("Secret", "shop", "pull"),
        ("ServiceAccount", "shop", "sa"),
    ]
    assert ask(KIND.get_dependencies, pod()) == []


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        (5, "spec"),
        ({"containers": {}}, "spec.containers"),
        ({"tolerations": ["x"]}, "spec.tolerations[0]"),
    ],
)
def test_a_spec_of_wrong_types_is_an_error(refused: Any, spec: Any, path: str) -> None:
    assert refused(KIND.get_replicas, pod(spec)).path == path


def test_a_pod_has_no_revision_and_no_status_rule() -> None:
    assert KIND.revise_replica is KIND.reflect_status is KIND.prune_rule is None


# --- Retention -----------------------------------------------------------------------------------


def test_what_the_member_set_replaces_the_same_fields_of_the_template(ask: Any) -> None:
    desired = pod(
        {
            "nodeName": "old",
            "serviceAccountName": "old",
            "volumes": [{"name": "old"}],
            "unknown": {},
            "containers": [
                {"name": "a", "volumeMounts": [{"name": "old"}], "image": "x"},
                {"name": "b", "volumeMounts": [{"name": "kept"}]},
                {"name": "a", "volumeMounts": [{"name": "second of that name"}]},
            ],
            "initContainers": [{"name": "i"}],
        }
    )
    observed = pod(
        {
            "nodeName": "n1",
            "serviceAccountName": "sa",
            "volumes": [{"name": "token", "projected": {"sources": [None]}}],
            "containers": [
                {"name": "a", "volumeMounts": [{"name": "token", "x": []}], "image": "other"},
                {"name": "sidecar", "volumeMounts": [{"name": "token"}]},
            ],
            "initContainers": [{"name": "i", "volumeMounts": [{"name": "token"}]}],
        }
    )
    assert ask(KIND.retain, desired, observed) == pod(
        {
            "nodeName": "n1",
            "serviceAccountName": "sa",
            "volumes": [{"name": "token", "projected": {"sources": [None]}}],
            "unknown": {},
            "containers": [
                {"name": "a", "volumeMounts": [{"name": "token", "x": []}], "image": "x"},
                {"name": "b", "volumeMounts": [{"name": "kept"}]},
                {"name": "a", "volumeMounts": [{"name": "second of that name"}]},
            ],
            "initContainers": [{"name": "i", "volumeMounts": [{"name": "token"}]}],
        }
    )


@pytest.mark.parametrize(
    "member",
    [
        pytest.param({"containers": [{"name": "a"}]}, id="absent"),
        pytest.param(
            {
                "nodeName": None,
                "serviceAccountName": "",
                "volumes": [],
                "containers": [{"name": "a", "volumeMounts": []}],
            },
            id="empty",
        ),
    ],
)
def test_fields_that_the_member_has_not_vanish(ask: Any, member: Obj) -> None:
    desired = pod(
        {
            "nodeName": "n",
            "serviceAccountName": "s",
            "volumes": [{}],
            "containers": [{"name": "a", "volumeMounts": [{}]}],
        }
    )
    assert ask(KIND.retain, desired, pod(member)) == pod({"containers": [{"name": "a"}]})


@pytest.mark.parametrize("spec", [None, {}])
def test_two_pods_without_a_spec_stay_so(ask: Any, spec: Any) -> None:
    assert ask(KIND.retain, pod(spec), pod()) == pod(spec)


def test_a_template_without_a_spec_gets_the_fields_of_the_member(ask: Any) -> None:
    assert ask(KIND.retain, pod(), pod({"nodeName": "n", "x": 1})) == pod({"nodeName": "n"})


@pytest.mark.parametrize(
    ("desired", "observed", "path"),
    [
        pytest.param("x", {}, "spec", id="spec of the template"),
        pytest.param({}, [], "spec", id="spec of the member"),
        pytest.param({}, {"nodeName": 5}, "spec.nodeName", id="node"),
        pytest.param({}, {"serviceAccountName": []}, "spec.serviceAccountName", id="account"),
        pytest.param({}, {"volumes": {}}, "spec.volumes", id="volumes"),
        pytest.param({}, {"containers": {}}, "spec.containers", id="containers"),
        pytest.param({"containers": [{}, 5]}, {}, "spec.containers[1]", id="container"),
        pytest.param(
            {}, {"initContainers": [{}, {"name": 5}]}, "spec.initContainers[1].name", id="name"
        ),
        pytest.param(
            {"containers": [{"name": {}}]}, {}, "spec.containers[0].name", id="name in the template"
        ),
        pytest.param(
            {},
            {"containers": [{"name": "a", "volumeMounts": "x"}]},
            "spec.containers[0].volumeMounts",
            id="mounts",
        ),
    ],
)
def test_retention_of_wrong_types_is_an_error(
    refused: Any, desired: Any, observed: Any, path: str
) -> None:
    assert refused(KIND.retain, pod(desired), pod(observed)).path == path


# --- Aggregation ---------------------------------------------------------------------------------


def member(phase: Any = None, **status: Any) -> Obj:
    return {"clusterName": "a", "status": {"phase": phase, **status}}


@pytest.mark.parametrize(
    ("items", "want"),
    [
        pytest.param([], {}, id="no items"),
        pytest.param([member("Succeeded")], {"phase": "Succeeded"}, id="succeeded"),
        pytest.param([member("Succeeded"), member("Running")], {"phase": "Running"}, id="running"),
        pytest.param([member("Running"), member("Pending")], {"phase": "Pending"}, id="pending"),
        pytest.param([member("Pending"), member("Failed")], {"phase": "Failed"}, id="failed"),
        pytest.param([member("Running"), {}], {"phase": "Pending"}, id="no status is pending"),
        pytest.param([member("Unknown")], {}, id="unknown is no phase"),
        pytest.param(
            [
                member(
                    "Running",
                    containerStatuses=[
                        {"name": "a", "ready": True, "state": {"running": {"x": []}}, "image": "i"}
                    ],
                    initContainerStatuses=[{"name": "i", "state": None}],
                ),
                member("Running", containerStatuses=[None, {"READY": None}]),
            ],
            {
                "phase": "Running",
                "containerStatuses": [
                    {"ready": True, "state": {"running": {"x": []}}},
                    {"ready": False, "state": {}},
                    {"ready": False, "state": {}},
                ],
                "initContainerStatuses": [{"ready": False, "state": {}}],
            },
            id="container statuses keep readiness and state",
        ),
    ],
)
def test_members_are_folded_into_one_status(ask: Any, items: Any, want: Obj) -> None:
    obj = pod({}, status={"phase": "Old", "podIP": "192.0.2.1"})
    assert ask(KIND.aggregate_status, obj, items) == pod({}, status=want)


def test_without_a_list_of_items_the_pod_stays_as_it_is(ask: Any) -> None:
    obj = pod(status={"phase": "Running", "podIP": "192.0.2.1"})
    assert ask(KIND.aggregate_status, obj, None) == obj


@pytest.mark.parametrize(
    "status",
    [
        {"phase": "Running", "conditions": []},
        {"phase": "Running", "podIP": ""},
    ],
)
def test_an_old_status_that_says_the_same_stays(ask: Any, status: Obj) -> None:
    obj = pod(status=status)
    assert ask(KIND.aggregate_status, obj, [member("Running")]) == obj
    assert ask(KIND.aggregate_status, pod(), []) == pod()


def test_empty_names_and_counts_of_containers_are_no_change(ask: Any) -> None:
    entry = {"name": "", "image": "", "restartCount": 0, "ready": True, "state": {"running": {}}}
    obj = pod(status={"phase": "Running", "containerStatuses": [entry]})
    items = [
        member(
            "Running", containerStatuses=[{"name": "a", "ready": True, "state": {"running": {}}}]
        )
    ]
    assert ask(KIND.aggregate_status, obj, items) == obj


@pytest.mark.parametrize(
    ("status", "items", "path"),
    [
        pytest.param(1, [], "status", id="own status"),
        pytest.param({"phase": 1}, None, "status.phase", id="own phase"),
        pytest.param(
            {"containerStatuses": [{}, 1]}, [], "status.containerStatuses[1]", id="own container"
        ),
        pytest.param(
            {"initContainerStatuses": [{"ready": "x"}]},
            [],
            "status.initContainerStatuses[0].ready",
            id="own readiness",
        ),
        pytest.param({}, [member(1)], "items[0].status.phase", id="phase"),
        pytest.param(
            {}, [member(containerStatuses=1)], "items[0].status.containerStatuses", id="containers"
        ),
        pytest.param(
            {},
            [{}, member(containerStatuses=[{}, "x"])],
            "items[1].status.containerStatuses[1]",
            id="container",
        ),
        pytest.param(
            {},
            [member(containerStatuses=[{}, {"ready": "x"}])],
            "items[0].status.containerStatuses[1].ready",
            id="readiness",
        ),
        pytest.param(
            {},
            [member(initContainerStatuses=[{"state": []}])],
            "items[0].status.initContainerStatuses[0].state",
            id="state",
        ),
    ],
)
def test_aggregation_of_wrong_types_is_an_error(
    refused: Any, status: Any, items: Any, path: str
) -> None:
    assert refused(KIND.aggregate_status, pod(status=status), items).path == path


# --- Health --------------------------------------------------------------------------------------


def ready(truth: str, **fields: Any) -> Obj:
    return {"type": "Ready", "status": truth, **fields}


def waiting(reason: Any, message: Any = None) -> Obj:
    return {"name": "web", "state": {"waiting": {"reason": reason, "message": message}}}


def ended(code: Any, **fields: Any) -> Obj:
    return {"name": "web", "state": {"terminated": {"exitCode": code, **fields}}}


def restarted(code: Any, *, ready: bool = False, **fields: Any) -> Obj:
    before = {"exitCode": code, "reason": "Error", **fields}
    return {"name": "web", "ready": ready, "lastState": {"terminated": before}}


def running(*conditions: Any, policy: Any = None, **status: Any) -> Obj:
    spec = {} if policy is None else {"restartPolicy": policy}
    return pod(spec, status={"phase": "Running", "conditions": list(conditions), **status})


@pytest.mark.parametrize(
    ("obj", "want"),
    [
        pytest.param(
            running(ready("True")),
            ("Healthy", "Ready", "the pod is running and ready", True),
            id="ready",
        ),
        pytest.param(
            running(ready("True"), ready("False")),
            ("Healthy", "Ready", "the pod is running and ready", True),
            id="the first Ready condition counts",
        ),
        pytest.param(
            running(),
            ("Progressing", "NotReady", "the pod is not ready yet", False),
            id="no Ready condition",
        ),
        pytest.param(
            running(ready("False", reason="ContainersNotReady", message="containers:\n [web]")),
            ("Progressing", "ContainersNotReady", "containers: [web]", False),
            id="not ready",
        ),
        pytest.param(
            running(ready("Unknown")),
            ("Progressing", "NotReady", "the pod is not ready yet", False),
            id="readiness is not known",
        ),
        pytest.param(
            running(ready("True"), policy="Never"),
            ("Progressing", "Running", "the pod runs to completion", True),
            id="a pod that ends is not done while it runs: the reference calls it healthy",
        ),
        pytest.param(
            running(policy="OnFailure"),
            ("Progressing", "Running", "the pod runs to completion", False),
            id="a pod that ends, not ready",
        ),
        pytest.param(
            pod(status={"phase": "Succeeded"}),
            ("Healthy", "Succeeded", "all containers have succeeded", True),
            id="succeeded",
        ),
        pytest.param(
            pod(), ("Progressing", "NotStarted", "the pod has not started yet", False), id="new"
        ),
        pytest.param(
            pod(status={"phase": "Pending", "conditions": None}),
            ("Progressing", "Pending", "the pod has not started yet", False),
            id="pending",
        ),
        pytest.param(
            pod(
                status={
                    "phase": "Pending",
                    "conditions": [
                        {
                            "type": "PodScheduled",
                            "status": "False",
                            "reason": "Unschedulable",
                            "message": "0/3 nodes are\navailable",
                        }
                    ],
                }
            ),
            ("Progressing", "Unschedulable", "0/3 nodes are available", False),
            id="no node has room",
        ),
        pytest.param(
            pod(status={"phase": "Failed"}),
            ("Degraded", "Failed", "the pod has failed", False),
            id="failed without a word",
        ),
        pytest.param(
            pod(status={"phase": "Failed", "reason": "Evicted", "message": "low on\nmemory"}),
            ("Degraded", "Evicted", "low on memory", False),
            id="evicted",
        ),
        pytest.param(
            pod(status={"phase": "Failed", "containerStatuses": [ended(0), ended(137)]}),
            ("Degraded", "Failed", "container web failed with exit code 137", False),
            id="a container failed",
        ),
        pytest.param(
            pod(
                status={
                    "phase": "Failed",
                    "initContainerStatuses": [ended(1, reason="Error", message="no\ndatabase")],
                    "containerStatuses": [ended(2)],
                }
            ),
            ("Degraded", "Error", "no database", False),
            id="an init container failed and says why",
        ),
        pytest.param(
            pod(
                status={
                    "phase": "Pending",
                    "containerStatuses": [waiting("ErrImagePull", "no image")],
                }
            ),
            ("Degraded", "ErrImagePull", "no image", False),
            id="no image",
        ),
        pytest.param(
            running(ready("False"), containerStatuses=[{}, waiting("CrashLoopBackOff")]),
            ("Degraded", "CrashLoopBackOff", "container web cannot start", False),
            id="crash loop",
        ),
        pytest.param(
            running(ready("False"), containerStatuses=[None, {"ready": True}, restarted(3)]),
            (
                "Degraded",
                "Error",
                "container web ended with exit code 3; not ready again",
                False,
            ),
            id="between two crashes",
        ),
        pytest.param(
            running(ready("False"), containerStatuses=[restarted(0, message="bye\nbye")]),
            ("Degraded", "Error", "bye bye", False),
            id="between two runs, with a message",
        ),
        pytest.param(
            running(ready("False", reason="Gate"), containerStatuses=[restarted(1, ready=True)]),
            ("Progressing", "Gate", "the pod is not ready yet", False),
            id="a crash that is over",
        ),
        pytest.param(
            running(policy="OnFailure", containerStatuses=[restarted(1)]),
            ("Progressing", "Running", "the pod runs to completion", False),
            id="a second try of a pod that ends",
        ),
        pytest.param(
            running(ready("True"), containerStatuses=[waiting("CreateContainerConfigError")]),
            ("Degraded", "CreateContainerConfigError", "container web cannot start", True),
            id="the reference looks at readiness only",
        ),
        pytest.param(
            pod(
                {"restartPolicy": "Always"},
                status={"phase": "Pending", "initContainerStatuses": [waiting("ImagePullBackOff")]},
            ),
            ("Degraded", "ImagePullBackOff", "container web cannot start", False),
            id="no image for an init container",
        ),
        pytest.param(
            running(policy="OnFailure", containerStatuses=[waiting("CrashLoopBackOff")]),
            ("Progressing", "Running", "the pod runs to completion", False),
            id="a pod that ends is tried again",
        ),
        pytest.param(
            pod(status={"phase": "Pending", "containerStatuses": [waiting("ContainerCreating")]}),
            ("Progressing", "Pending", "the pod has not started yet", False),
            id="being created",
        ),
        pytest.param(
            pod(status={"phase": "Unknown"}),
            ("Unknown", "Unknown", "the pod's phase is not known", False),
            id="unknown phase",
        ),
    ],
)
def test_health_follows_phase_readiness_and_containers(
    ask: Any, obj: Obj, want: tuple[Any, ...]
) -> None:
    health = ask(KIND.interpret_health, obj)
    assert (health.status, health.reason, health.message, health.healthy) == want


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (pod(status=[]), "status"),
        (pod(status={"phase": 1}), "status.phase"),
        (
            pod(status={"conditions": [{"type": "Ready", "status": True}]}),
            "status.conditions[0].status",
        ),
        (running(containerStatuses={}), "status.containerStatuses"),
        (running(initContainerStatuses=[{}, 5]), "status.initContainerStatuses[1]"),
        (running(policy=5), "spec.restartPolicy"),
        (pod([], status={"phase": "Running"}), "spec"),
    ],
)
def test_health_of_wrong_types_is_an_error(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.interpret_health, obj).path == path


@pytest.mark.parametrize("odd", [5, "x", [], {"waiting": 5}, {"terminated": "x"}, None], ids=repr)
@pytest.mark.parametrize("phase", ["Failed", "Running"])
def test_a_container_state_of_an_odd_shape_tells_nothing(ask: Any, odd: Any, phase: str) -> None:
    status = {"phase": phase, "containerStatuses": [{"state": odd}]}
    health = ask(KIND.interpret_health, pod(status=status))
    assert health.status == ("Degraded" if phase == "Failed" else "Progressing")


@pytest.mark.parametrize(
    "code",
    ["a\nb", 10**5000, {"deep": [1] * 100}, [], True, 1.5],
    ids=lambda code: type(code).__name__,
)
def test_an_odd_exit_code_makes_no_long_or_broken_message(code: Any) -> None:
    assert KIND.interpret_health is not None
    obj = pod(status={"phase": "Failed", "containerStatuses": [ended(code)]})
    message = KIND.interpret_health(obj).message
    assert "\n" not in message
    assert len(message) < 200
