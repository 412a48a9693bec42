"""apps/v1 Deployment, operation by operation."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.api.results import Component, NodeClaim, ReplicaRequirements, ReplicaResult
from interpreter.engines.native.apps_deployment import KIND, RETAIN_REPLICAS_LABEL

Obj = dict[str, Any]
GENERATION = "resourcetemplate.karmada.io/generation"
REVISION = "deployment.kubernetes.io/revision"


def deployment(spec: Any = None, status: Any = None, **metadata: Any) -> Obj:
    obj: Obj = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop", **metadata},
        "unknown": {"empty": {}, "list": []},
    }
    if spec is not None:
        obj["spec"] = spec
    if status is not None:
        obj["status"] = status
    return obj


def with_pod(pod: Any, **spec: Any) -> Obj:
    return deployment({"template": {"metadata": {}, "spec": pod}, **spec})


# --- Replicas and components ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "want"),
    [
        (None, 0),
        ({}, 0),
        ({"replicas": None}, 0),
        ({"replicas": 0}, 0),
        ({"replicas": 3}, 3),
        ({"replicas": 3.0}, 3),
        ({"replicas": 2**31 - 1, "template": None}, 2**31 - 1),
    ],
)
def test_the_replica_count_is_that_of_the_spec_or_zero(ask: Any, spec: Any, want: int) -> None:
    assert ask(KIND.get_replicas, deployment(spec)) == ReplicaResult(want, None)


def test_requirements_come_from_the_pod_template(ask: Any) -> None:
    obj = with_pod(
        {
            "nodeSelector": {"pool": "web"},
            "tolerations": [{"operator": "Exists"}],
            "containers": [{"resources": {"requests": {"cpu": "0.1", "memory": "1Gi"}}}] * 2,
        },
        replicas=2,
    )
    claim = NodeClaim(None, {"pool": "web"}, ({"operator": "Exists"},))
    needs = ReplicaRequirements(claim, {"cpu": "200m", "memory": "2Gi"})
    assert ask(KIND.get_replicas, obj) == ReplicaResult(2, needs)
    assert ask(KIND.get_components, obj) == [Component("web", 2, needs)]


def test_constraints_alone_are_requirements(ask: Any) -> None:
    result = ask(KIND.get_replicas, with_pod({"nodeSelector": {}}))
    assert result.requirements == ReplicaRequirements(NodeClaim(None, {}, ()), None)
    assert result.to_dict() == {"replicas": 0, "requirements": {"nodeClaim": {}}}


def test_an_object_without_a_name_is_a_component_without_a_name(ask: Any) -> None:
    assert ask(KIND.get_components, {"spec": {"replicas": 1}}) == [Component("", 1)]


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        pytest.param(deployment("x"), "spec", id="spec"),
        pytest.param(deployment({"replicas": "3"}), "spec.replicas", id="text"),
        pytest.param(deployment({"replicas": True}), "spec.replicas", id="boolean"),
        pytest.param(deployment({"replicas": 1.5}), "spec.replicas", id="fraction"),
        pytest.param(deployment({"replicas": float("nan")}), "spec.replicas", id="nan"),
        pytest.param(deployment({"replicas": -1}), "spec.replicas", id="negative"),
        pytest.param(deployment({"replicas": 2**31}), "spec.replicas", id="overflow"),
        pytest.param(deployment({"template": []}), "spec.template", id="template"),
        pytest.param(with_pod("x"), "spec.template.spec", id="pod spec"),
        pytest.param(
            with_pod({"containers": [{}, {"resources": {"requests": {"cpu": "x"}}}]}),
            "spec.template.spec.containers[1].resources.requests.cpu",
            id="request",
        ),
        pytest.param(
            with_pod({"affinity": {"nodeAffinity": 1}}),
            "spec.template.spec.affinity.nodeAffinity",
            id="affinity",
        ),
    ],
)
def test_a_wrong_type_is_an_error_with_its_path(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.get_replicas, obj).path == path
    assert refused(KIND.get_components, obj).path == path


def test_a_component_needs_a_name_of_the_right_type(refused: Any) -> None:
    assert refused(KIND.get_components, deployment(name=5)).path == "metadata.name"


# --- Revision ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "want"),
    [
        pytest.param({"replicas": 1, "x": []}, {"replicas": 7, "x": []}, id="another count"),
        pytest.param({"replicas": 7}, {"replicas": 7}, id="the same count"),
        pytest.param({"replicas": -4}, {"replicas": 7}, id="a count that was never valid"),
        pytest.param({"x": {}}, {"x": {}}, id="a missing count stays missing"),
        pytest.param({}, {}, id="empty spec"),
    ],
)
def test_revision_changes_an_existing_count_only(ask: Any, spec: Obj, want: Obj) -> None:
    assert ask(KIND.revise_replica, deployment(spec), 7) == deployment(want)


def test_revision_leaves_an_object_without_spec_as_it_is(ask: Any) -> None:
    assert ask(KIND.revise_replica, deployment(), 7) == deployment()


@pytest.mark.parametrize("replicas", [0, 1, 2**31 - 1])
def test_revision_takes_every_count_of_31_bits(ask: Any, replicas: int) -> None:
    revised = ask(KIND.revise_replica, deployment({"replicas": 1}), replicas)
    assert revised["spec"]["replicas"] == replicas


@pytest.mark.parametrize("replicas", [-1, 2**31])
def test_revision_refuses_other_counts(refused: Any, replicas: int) -> None:
    assert refused(KIND.revise_replica, deployment({"replicas": 1}), replicas).path == "replicas"


@pytest.mark.parametrize("value", [None, "3", 3.0, True, [], {}], ids=repr)
def test_revision_insists_on_an_integer_in_the_spec(refused: Any, value: Any) -> None:
    error = refused(KIND.revise_replica, deployment({"replicas": value}), 2)
    assert (error.path, error.value) == ("spec.replicas", value)


def test_revision_insists_on_an_object_as_spec(refused: Any) -> None:
    assert refused(KIND.revise_replica, deployment([]), 2).path == "spec"


# --- Retention -----------------------------------------------------------------------------------

LABELLED = {"labels": {RETAIN_REPLICAS_LABEL: "true"}}


def test_the_count_of_the_member_stands_when_the_label_asks_for_it(ask: Any) -> None:
    desired = deployment({"replicas": 1, "x": []}, **LABELLED)
    retained = ask(KIND.retain, desired, deployment({"replicas": 9}))
    assert retained == deployment({"replicas": 9, "x": []}, **LABELLED)


def test_the_count_of_the_member_is_written_where_the_template_has_none(ask: Any) -> None:
    retained = ask(KIND.retain, deployment(**LABELLED), deployment({"replicas": 9}))
    assert retained == deployment({"replicas": 9}, **LABELLED)


@pytest.mark.parametrize(
    "labels",
    [None, {}, {RETAIN_REPLICAS_LABEL: "True"}, {RETAIN_REPLICAS_LABEL: "yes"}, {"a": "true"}],
)
def test_the_count_of_the_template_stands_without_the_label(ask: Any, labels: Any) -> None:
    metadata = {} if labels is None else {"labels": labels}
    desired = deployment({"replicas": 1}, **metadata)
    # What the member has is not even read then.
    assert ask(KIND.retain, desired, {"spec": "odd"}) == desired


def test_the_label_on_the_member_does_not_count(ask: Any) -> None:
    desired, observed = deployment({"replicas": 1}), deployment({"replicas": 9}, **LABELLED)
    assert ask(KIND.retain, desired, observed) == desired


@pytest.mark.parametrize(
    ("observed", "path"),
    [
        pytest.param({}, "spec.replicas", id="no spec"),
        pytest.param({"spec": {}}, "spec.replicas", id="no count"),
        pytest.param({"spec": {"replicas": None}}, "spec.replicas", id="null"),
        pytest.param({"spec": {"replicas": "9"}}, "spec.replicas", id="text"),
        pytest.param({"spec": {"replicas": 9.0}}, "spec.replicas", id="float"),
        pytest.param({"spec": []}, "spec", id="spec is a list"),
    ],
)
def test_a_member_without_a_count_is_an_error_when_it_is_asked_for(
    refused: Any, observed: Obj, path: str
) -> None:
    assert refused(KIND.retain, deployment({"replicas": 1}, **LABELLED), observed).path == path


@pytest.mark.parametrize("replicas", [-1, 2**31, 2**63 - 1])
def test_a_count_of_the_member_out_of_range_is_an_error(refused: Any, replicas: int) -> None:
    observed = deployment({"replicas": replicas})
    error = refused(KIND.retain, deployment({"replicas": 1}, **LABELLED), observed)
    assert error.path == "spec.replicas"


@pytest.mark.parametrize(
    ("desired", "path"),
    [
        (deployment({}, labels="x"), "metadata.labels"),
        (deployment({}, labels={"a": 1}), "metadata.labels.a"),
        (deployment({}, labels=None), "metadata.labels"),
        ({"metadata": []}, "metadata"),
        ({**deployment(**LABELLED), "spec": None}, "spec"),
        (deployment("x", **LABELLED), "spec"),
    ],
)
def test_a_template_of_wrong_types_is_an_error(refused: Any, desired: Obj, path: str) -> None:
    assert refused(KIND.retain, desired, deployment({"replicas": 9})).path == path


# --- Aggregation ---------------------------------------------------------------------------------


def item(cluster: str, status: Any = None, **counts: Any) -> Obj:
    return {"clusterName": cluster, "applied": True, "status": counts if status is None else status}


def member(**counts: Any) -> Obj:
    return {"generation": 2, "observedGeneration": 2, "resourceTemplateGeneration": 5, **counts}


ITEMS = [
    item("a", **member(replicas=2, updatedReplicas=2, readyReplicas=1, unavailableReplicas=1)),
    item("b", **member(replicas=3, readyReplicas=3, availableReplicas=3)),
]
SUMS = {
    "replicas": 5,
    "updatedReplicas": 2,
    "readyReplicas": 4,
    "availableReplicas": 3,
    "unavailableReplicas": 1,
}


def test_counters_are_summed_and_the_generation_is_observed(ask: Any) -> None:
    obj = deployment({"replicas": 5}, generation=5)
    want = deployment({"replicas": 5}, {**SUMS, "observedGeneration": 5}, generation=5)
    assert ask(KIND.aggregate_status, obj, ITEMS) == want


def test_other_fields_of_the_status_stay(ask: Any) -> None:
    others = {"conditions": [{"type": "X", "extra": None}], "collisionCount": 3, "mine": {}}
    obj = deployment(None, {**others, "replicas": 9, "observedGeneration": 1}, generation=5)
    aggregated = ask(KIND.aggregate_status, obj, ITEMS)
    assert aggregated["status"] == {**others, **SUMS, "observedGeneration": 5}


@pytest.mark.parametrize("items", [None, []])
def test_without_items_counters_vanish_and_the_generation_counts_as_observed(
    ask: Any, items: Any
) -> None:
    old = {"replicas": 3, "readyReplicas": 3, "observedGeneration": 4, "conditions": []}
    aggregated = ask(KIND.aggregate_status, deployment({}, old, generation=5), items)
    assert aggregated["status"] == {"observedGeneration": 5, "conditions": []}


def test_a_status_that_says_the_same_is_left_as_it_is(ask: Any) -> None:
    status = {**SUMS, "observedGeneration": 5.0, "replicas": 5.0}
    obj = deployment({}, status, generation=5)
    assert repr(ask(KIND.aggregate_status, obj, ITEMS)) == repr(obj)
    untouched = deployment({})
    assert ask(KIND.aggregate_status, untouched, []) == untouched


@pytest.mark.parametrize(
    "late",
    [
        pytest.param({"clusterName": "c"}, id="no status"),
        pytest.param({"clusterName": "c", "status": None}, id="null status"),
        pytest.param(item("c", {}), id="empty status"),
        pytest.param(item("c", **member(observedGeneration=1)), id="stale generation"),
        pytest.param(item("c", **member(resourceTemplateGeneration=4)), id="stale template"),
        pytest.param(item("c", **member(resourceTemplateGeneration=None)), id="null template"),
    ],
)
def test_one_member_that_lags_behind_keeps_the_old_observed_generation(ask: Any, late: Obj) -> None:
    for old, want in (({"observedGeneration": 4}, {"observedGeneration": 4}), (None, {})):
        obj = deployment({}, old, generation=5)
        assert ask(KIND.aggregate_status, obj, [*ITEMS, late])["status"] == {**SUMS, **want}


def test_members_spell_fields_in_any_case_and_null_is_unset(ask: Any) -> None:
    items = [item("a", {"REPLICAS": 2, "readyreplicas": 1, "updatedReplicas": None, "other": "x"})]
    aggregated = ask(KIND.aggregate_status, deployment({}, generation=5), items)
    assert aggregated["status"] == {"replicas": 2, "readyReplicas": 1}


def test_sums_do_not_wrap(ask: Any) -> None:
    items = [item("a", replicas=2**31 - 1), item("b", replicas=2**31 - 1)]
    aggregated = ask(KIND.aggregate_status, deployment({}), items)
    assert aggregated["status"]["replicas"] == 2**32 - 2


@pytest.mark.parametrize(
    ("obj", "items", "path"),
    [
        pytest.param(deployment({}), {}, "items", id="items"),
        pytest.param(deployment({}), [{}, "x"], "items[1]", id="item"),
        pytest.param(deployment({}), [{"status": []}], "items[0].status", id="status"),
        pytest.param(
            deployment({}), [{}, item("a", replicas=2.0)], "items[1].status.replicas", id="float"
        ),
        pytest.param(
            deployment({}),
            [item("a", readyReplicas="2")],
            "items[0].status.readyReplicas",
            id="text",
        ),
        pytest.param(
            deployment({}), [item("a", replicas=True)], "items[0].status.replicas", id="boolean"
        ),
        pytest.param(
            deployment({}), [item("a", replicas=2**31)], "items[0].status.replicas", id="overflow"
        ),
        pytest.param(
            deployment({}),
            [item("a", observedGeneration=2**63)],
            "items[0].status.observedGeneration",
            id="generation overflow",
        ),
        pytest.param(deployment({}, "x"), [], "status", id="own status"),
        pytest.param(deployment({}, {"replicas": "x"}), [], "status.replicas", id="own counter"),
        pytest.param(
            deployment({}, {"observedGeneration": []}),
            [],
            "status.observedGeneration",
            id="own observed generation",
        ),
        pytest.param(deployment({}, generation="5"), [], "metadata.generation", id="generation"),
        pytest.param(deployment({"replicas": "x"}), [], "spec.replicas", id="own replicas"),
    ],
)
def test_aggregation_of_wrong_types_is_an_error_with_its_path(
    refused: Any, obj: Obj, items: Any, path: str
) -> None:
    assert refused(KIND.aggregate_status, obj, items).path == path


# --- Collection ----------------------------------------------------------------------------------


def observed(status: Any, *, annotation: Any = "7", **metadata: Any) -> Obj:
    return deployment({}, status, annotations={GENERATION: annotation}, **metadata)


def test_counters_and_generations_are_collected(ask: Any) -> None:
    status = {**SUMS, "observedGeneration": 4, "conditions": [{}], "collisionCount": 1}
    assert ask(KIND.reflect_status, observed(status, generation=4)) == {
        **SUMS,
        "observedGeneration": 4,
        "generation": 4,
        "resourceTemplateGeneration": 7,
    }


def test_zero_counters_are_not_collected(ask: Any) -> None:
    assert ask(KIND.reflect_status, observed({"replicas": 0, "readyReplicas": None})) == {
        "resourceTemplateGeneration": 7
    }


@pytest.mark.parametrize("obj", [deployment(), {**deployment(), "status": None}])
def test_without_a_status_nothing_is_collected(ask: Any, obj: Obj) -> None:
    assert ask(KIND.reflect_status, obj) is None


@pytest.mark.parametrize(
    "annotation", [None, "", "seven", "7.0", " 7", "1_0", 7, str(2**63), "\u0667"]
)
def test_the_generation_annotation_must_be_an_integer(refused: Any, annotation: Any) -> None:
    error = refused(KIND.reflect_status, observed({"replicas": 1}, annotation=annotation))
    assert (error.path, error.value) == (f"metadata.annotations[{GENERATION}]", annotation)


@pytest.mark.parametrize("annotation", ["7", "+7", "007"])
def test_the_generation_annotation_may_have_a_sign_and_zeros(ask: Any, annotation: str) -> None:
    collected = ask(KIND.reflect_status, observed({}, annotation=annotation))
    assert collected == {"resourceTemplateGeneration": 7}


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (observed("x"), "status"),
        (observed([]), "status"),
        (observed({"replicas": "1"}), "status.replicas"),
        (observed({"observedGeneration": 1.5}), "status.observedGeneration"),
        (observed({}, generation="x"), "metadata.generation"),
        (deployment({}, {}, annotations=[]), "metadata.annotations"),
    ],
)
def test_collection_of_wrong_types_is_an_error_with_its_path(
    refused: Any, obj: Obj, path: str
) -> None:
    assert refused(KIND.reflect_status, obj).path == path


# --- Health --------------------------------------------------------------------------------------

DONE = {
    "observedGeneration": 3,
    "replicas": 2,
    "updatedReplicas": 2,
    "availableReplicas": 2,
    "readyReplicas": 2,
}
DEADLINE = {
    "type": "Progressing",
    "status": "False",
    "reason": "ProgressDeadlineExceeded",
    "message": "has timed\nout  progressing.",
}


def rollout(spec: Any = None, **status: Any) -> Obj:
    return deployment({"replicas": 2, **(spec or {})}, {**DONE, **status}, generation=3)


@pytest.mark.parametrize(
    ("obj", "want"),
    [
        pytest.param(
            rollout(),
            ("Healthy", "RolloutComplete", "2 replicas are available", True),
            id="complete",
        ),
        pytest.param(
            deployment(),
            ("Healthy", "RolloutComplete", "0 replicas are available", True),
            id="nothing wanted and nothing there",
        ),
        pytest.param(
            rollout(observedGeneration=2),
            (
                "Progressing",
                "StaleGeneration",
                "waiting for generation 3 to be observed, seen is 2",
                False,
            ),
            id="stale",
        ),
        pytest.param(
            rollout(observedGeneration=4),
            ("Healthy", "RolloutComplete", "2 replicas are available", False),
            id="a newer generation was observed: the reference insists on equality",
        ),
        pytest.param(
            rollout(updatedReplicas=1, availableReplicas=1),
            ("Progressing", "ReplicasUpdating", "1 of 2 new replicas are updated", False),
            id="updating",
        ),
        pytest.param(
            rollout(replicas=3, availableReplicas=3),
            ("Progressing", "OldReplicasTerminating", "2 of 3 replicas are new ones", True),
            id="old replicas are left: the reference does not look at them",
        ),
        pytest.param(
            rollout(availableReplicas=1),
            (
                "Progressing",
                "ReplicasUnavailable",
                "1 of 2 updated replicas are available",
                False,
            ),
            id="unavailable",
        ),
        pytest.param(
            rollout({"paused": True}),
            ("Suspended", "DeploymentPaused", "the deployment is paused", True),
            id="paused when done",
        ),
        pytest.param(
            rollout({"paused": True}, updatedReplicas=0),
            ("Suspended", "DeploymentPaused", "the deployment is paused", False),
            id="paused in the middle",
        ),
        pytest.param(
            rollout(conditions=[DEADLINE], updatedReplicas=1),
            ("Degraded", "ProgressDeadlineExceeded", "has timed out progressing.", False),
            id="past its deadline",
        ),
        pytest.param(
            rollout(conditions=[None, DEADLINE]),
            ("Degraded", "ProgressDeadlineExceeded", "has timed out progressing.", True),
            id="past its deadline although the counters are fine",
        ),
        pytest.param(
            rollout({"paused": True}, conditions=[DEADLINE]),
            ("Suspended", "DeploymentPaused", "the deployment is paused", True),
            id="no deadline runs while it is paused",
        ),
        pytest.param(
            rollout({"replicas": None}, updatedReplicas=0, replicas=0, availableReplicas=0),
            ("Healthy", "RolloutComplete", "0 replicas are available", True),
            id="no count wanted",
        ),
    ],
)
def test_health_follows_the_rollout(ask: Any, obj: Obj, want: tuple[Any, ...]) -> None:
    health = ask(KIND.interpret_health, obj)
    assert (health.status, health.reason, health.message, health.healthy) == want


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (deployment({}, []), "status"),
        (deployment("x"), "spec"),
        (rollout({"replicas": "2"}), "spec.replicas"),
        (rollout({"paused": "yes"}), "spec.paused"),
        (rollout(updatedReplicas={}), "status.updatedReplicas"),
        (rollout(observedGeneration="3"), "status.observedGeneration"),
        (rollout(conditions={}), "status.conditions"),
        (rollout(conditions=["x"]), "status.conditions[0]"),
        (rollout(conditions=[{}, {"type": 1}]), "status.conditions[1].type"),
        (rollout(conditions=[{"type": "A", "status": True}]), "status.conditions[0].status"),
        (deployment({}, {}, generation=-1.5), "metadata.generation"),
    ],
)
def test_health_of_wrong_types_is_an_error_with_its_path(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.interpret_health, obj).path == path


# --- Dependencies --------------------------------------------------------------------------------


def test_dependencies_come_from_the_pod_template_in_the_namespace_of_the_object(ask: Any) -> None:
    obj = with_pod(
        {
            "serviceAccountName": "runner",
            "containers": [{"envFrom": [{"configMapRef": {"name": "c"}}]}],
            "volumes": [
                {"secret": {"secretName": "s"}},
                {"persistentVolumeClaim": {"claimName": "v"}},
            ],
        }
    )
    assert [reference.to_dict() for reference in ask(KIND.get_dependencies, obj)] == [
        {"apiVersion": "v1", "kind": kind, "namespace": "shop", "name": name}
        for kind, name in (
            ("ConfigMap", "c"),
            ("Secret", "s"),
            ("ServiceAccount", "runner"),
            ("PersistentVolumeClaim", "v"),
        )
    ]


@pytest.mark.parametrize("obj", [{}, deployment(), deployment({"template": None}), with_pod(None)])
def test_without_a_pod_template_there_are_no_dependencies(ask: Any, obj: Obj) -> None:
    assert ask(KIND.get_dependencies, obj) == []


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (deployment([]), "spec"),
        (deployment({"template": "x"}), "spec.template"),
        (with_pod({"volumes": [{}, 1]}), "spec.template.spec.volumes[1]"),
        (
            with_pod({"containers": [{"env": [{"valueFrom": {"secretKeyRef": {"name": 1}}}]}]}),
            "spec.template.spec.containers[0].env[0].valueFrom.secretKeyRef.name",
        ),
        ({**with_pod({"volumes": []}), "metadata": {"namespace": 1}}, "metadata.namespace"),
    ],
)
def test_a_reference_of_a_wrong_type_is_an_error(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.get_dependencies, obj).path == path


# --- Pruning -------------------------------------------------------------------------------------


def prune(obj: Obj) -> Obj:
    assert KIND.prune_rule is not None
    KIND.prune_rule(obj, False)
    return obj


def test_pruning_drops_the_revision_annotations_and_keeps_an_emptied_map() -> None:
    mine = {REVISION: "3", f"{REVISION}-history": "1,2", "mine": "x"}
    assert prune(deployment({}, annotations=mine)) == deployment({}, annotations={"mine": "x"})
    assert prune(deployment({}, annotations={REVISION: "3"})) == deployment({}, annotations={})


@pytest.mark.parametrize(
    "obj", [{}, {"metadata": None}, {"metadata": {"annotations": None}}, deployment()], ids=repr
)
def test_pruning_without_annotations_changes_nothing(obj: Obj) -> None:
    before = repr(obj)
    assert repr(prune(obj)) == before
