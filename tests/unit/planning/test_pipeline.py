"""What lands where: the pipeline from templates and policies to Works."""

from __future__ import annotations

import copy
import json
import random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_samples import (
    AGGREGATED,
    DYNAMIC,
    INTERPRETER,
    cluster,
    config_map,
    deployment,
    only,
    override,
    planned,
    policy,
    replicas,
)

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import (
    Component,
    DependentObjectReference,
    ReplicaRequirements,
    ReplicaResult,
)
from interpreter.api.scheduling import SchedulerParts
from interpreter.errors import NoClusterFit
from interpreter.machinery.gvk import GVK
from interpreter.planning import Plan, State

FLEET = (cluster("m1", region="eu"), cluster("m2", region="us"), cluster("m3", region="us"))


def binding(clusters: dict[str, int], placement: dict[str, Any], **status: Any) -> dict[str, Any]:
    """The binding that a control plane has for the Deployment ``shop/web``."""
    from interpreter.codec.json import dumps

    return {
        "apiVersion": "work.karmada.io/v1alpha2",
        "kind": "ResourceBinding",
        "metadata": {
            "name": "web-deployment",
            "namespace": "shop",
            "labels": {"resourcebinding.karmada.io/permanent-id": "id-web"},
            "annotations": {"policy.karmada.io/applied-placement": dumps(placement)},
        },
        "spec": {
            "resource": {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "namespace": "shop",
                "name": "web",
                "uid": "uid-web",
            },
            "clusters": [{"name": name, "replicas": count} for name, count in clusters.items()],
        },
        "status": status,
    }


def test_a_template_is_placed_by_its_policy_with_what_it_depends_on() -> None:
    plan = planned(
        cluster("m1", cpu="20"),
        *FLEET[1:],
        deployment(replicas=5, needs="settings"),
        config_map(),
        config_map("other"),
        policy(
            placement={
                "clusterAffinity": {"clusterNames": ["m1", "m2"]},
                "replicaScheduling": DYNAMIC,
            },
            propagateDeps=True,
        ),
        override("eu", {"labelsOverrider": [{"operator": "add", "value": {"a": "b"}}]},
                 clusterNames=["m1"]),
    )  # fmt: skip

    web, settings_, other = plan.templates
    assert [web.state, settings_.state, other.state] == ["placed", "follows", "unselected"]
    assert replicas(web) == {"m1": 3, "m2": 2}
    assert web.rejected == {
        "m3": "cluster(s) did not match the placement cluster affinity constraint"
    }
    assert web.replicas == 5
    assert web.requests == {"cpu": "1"}
    assert [(each.cluster, each.available, each.chosen) for each in web.passes[0].candidates] == [
        ("m1", 20, True),
        ("m2", 10, True),
    ]
    assert [(each.reference, each.found) for each in web.dependencies] == [
        ("ConfigMap shop/settings", ("ConfigMap shop/settings",))
    ]
    assert {each.cluster: each.required_by for each in settings_.placements} == {
        "m1": ("Deployment shop/web",),
        "m2": ("Deployment shop/web",),
    }
    assert replicas(settings_) == {"m1": None, "m2": None}
    assert {each.cluster: [c.summary for c in each.changes] for each in web.placements} == {
        "m1": ["labels add a"],
        "m2": [],
    }
    manifest = web.placements[0].manifest or {}
    assert manifest["spec"]["replicas"] == 3
    assert manifest["metadata"]["labels"]["a"] == "b"
    assert len(plan.works) == 4
    assert not plan.all_errors


@pytest.mark.parametrize(
    ("policies", "winner", "why"),
    [
        ([policy()], "PropagationPolicy shop/web", "the only one, selects by name"),
        (
            [policy(), policy("all", namespace="")],
            "PropagationPolicy shop/web",
            "a policy of the namespace, before ClusterPropagationPolicy all",
        ),
        (
            [policy("a"), policy("b", priority=10)],
            "PropagationPolicy shop/b",
            "priority 10, before 0 of PropagationPolicy shop/a",
        ),
        (
            [policy("a", selector={}), policy("b")],
            "PropagationPolicy shop/b",
            "selects by name, PropagationPolicy shop/a all of the kind",
        ),
        (
            [policy("b"), policy("a")],
            "PropagationPolicy shop/a",
            "as PropagationPolicy shop/b, and a comes first by name",
        ),
    ],
    ids=["one", "namespace", "priority", "precision", "name"],
)
def test_a_plan_says_why_a_policy_wins(
    policies: list[dict[str, Any]], winner: str, why: str
) -> None:
    choice = only(planned(*FLEET, deployment(), *policies)).policy

    assert choice is not None
    assert (choice.policy, choice.why) == (winner, why)
    assert choice.ranked[0].policy == winner
    assert len(choice.ranked) == len(policies)


def test_a_claim_is_followed_without_matching_anew() -> None:
    claimed = deployment(
        labels={"clusterpropagationpolicy.karmada.io/permanent-id": "x"},
        annotations={"clusterpropagationpolicy.karmada.io/name": "all"},
    )
    everything = policy("all", namespace="", selector={})

    followed = only(planned(*FLEET, claimed, everything, policy()))
    released = only(planned(*FLEET, claimed, policy()))

    assert followed.policy is not None
    assert followed.policy.policy == "ClusterPropagationPolicy all"
    assert followed.policy.why == "the object is marked as its own"
    assert released.policy is not None
    assert released.policy.policy == "PropagationPolicy shop/web"
    assert [note.text for note in released.notes] == [
        "held by ClusterPropagationPolicy all, which is not there"
    ]


def test_a_policy_preempts_only_with_its_gate() -> None:
    claimed = deployment(
        labels={"clusterpropagationpolicy.karmada.io/permanent-id": "x"},
        annotations={"clusterpropagationpolicy.karmada.io/name": "all"},
    )
    given_ = (
        *FLEET,
        claimed,
        policy("all", namespace="", selector={}),
        policy(preemption="Always"),
    )

    off, on = planned(*given_), planned(*given_, gates={"PropagationPolicyPreemption": True})

    winners = [each.policy.policy for plan in (off, on) if (each := only(plan)).policy is not None]
    assert winners == ["ClusterPropagationPolicy all", "PropagationPolicy shop/web"]


def test_clusters_without_status_accept_everything_unless_one_is_strict() -> None:
    bare = cluster("m1", cpu=None), cluster("m2", cpu="10")
    objects = (*bare, deployment(replicas=4), policy(placement={"replicaScheduling": DYNAMIC}))

    lenient, strict = planned(*objects), planned(*objects, strict_clusters=True)

    # Unknown capacity counts as all that is wanted.
    assert replicas(only(lenient)) == {"m1": 1, "m2": 3}
    assert sorted(map(str, lenient.notes)) == [
        "cluster m1: states no status.apiEnablements: taken to accept every API",
        "cluster m1: states no status.resourceSummary: its capacity is unknown",
        "cluster m2: states no status.apiEnablements: taken to accept every API",
    ]
    (error,) = strict.all_errors
    assert isinstance(error.error, NoClusterFit)
    assert only(strict).state is State.FAILED
    assert only(strict).rejected == {
        "m1": "cluster(s) did not have the API resource",
        "m2": "cluster(s) did not have the API resource",
    }
    assert not strict.notes
    assert not strict.works


def test_what_does_not_fit_is_an_error_and_stops_no_other_template() -> None:
    plan = planned(
        *FLEET,
        deployment("big", replicas=100),
        deployment("web"),
        policy("p", selector={}, placement={"replicaScheduling": AGGREGATED}),
    )

    (error,) = plan.all_errors
    assert (error.about, error.step, error.source) == (
        "Deployment shop/big",
        "schedule",
        "in.yaml, document 4",
    )
    assert only(plan, "big").state is State.FAILED
    assert replicas(only(plan)) == {"m1": 3}


def test_an_override_that_cannot_be_applied_fails_in_its_cluster_only() -> None:
    patch = {"plaintext": [{"path": "/spec/nothing/here", "operator": "replace", "value": 1}]}
    plan = planned(*FLEET, deployment(), policy(), override("o", patch, clusterNames=["m2"]))

    web = only(plan)
    (error,) = plan.all_errors
    assert (error.cluster, error.step) == ("m2", "works")
    assert "OverridePolicy shop/o: spec.overrideRules[0].overriders.plaintext[0]" in str(error)
    assert [each.cluster for each in web.placements if each.work is not None] == ["m1", "m3"]
    assert replicas(web) == {"m1": 3, "m2": 3, "m3": 3}


def test_a_dependency_that_is_not_given_is_noted() -> None:
    web = only(planned(*FLEET, deployment(needs="settings"), policy(propagateDeps=True)))

    assert [(each.reference, each.found) for each in web.dependencies] == [
        ("ConfigMap shop/settings", ())
    ]
    assert [note.text for note in web.notes] == [
        "depends on ConfigMap shop/settings, which is not among the inputs"
    ]
    assert web.state is State.PLACED


def test_dependencies_of_cluster_scoped_objects_stay() -> None:
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "viewer"},
    }
    chosen = policy("all", namespace="", of=role, propagateDeps=True)

    viewer = only(planned(*FLEET, role, chosen), "viewer")

    assert viewer.state is State.PLACED
    assert [each.cluster for each in viewer.placements] == ["m1", "m2", "m3"]
    assert [note.text for note in viewer.notes] == [
        "dependencies of cluster-scoped objects do not travel with them"
    ]


def test_an_existing_schedule_is_kept_where_nothing_changed() -> None:
    placement = {"replicaScheduling": DYNAMIC}
    there = binding({"m3": 3}, placement)

    same = only(planned(*FLEET, deployment(replicas=3), policy(placement=placement), there))
    grown = only(planned(*FLEET, deployment(replicas=5), policy(placement=placement), there))

    assert (same.trigger, same.passes, replicas(same)) == ("None", (), {"m3": 3})
    assert same.template["metadata"]["uid"] == "uid-web"
    assert grown.trigger == "ReplicasChanged"
    assert sum(count or 0 for count in replicas(grown).values()) == 5
    assert (replicas(grown)["m3"] or 0) >= 3
    assert grown.at("m3") is not None
    assert {each.cluster: each.before for each in grown.placements}["m3"] == 3


def test_works_in_clusters_that_are_left_go() -> None:
    work = {
        "apiVersion": "work.karmada.io/v1alpha1",
        "kind": "Work",
        "metadata": {
            "name": "web-56d6c779bb",
            "namespace": "karmada-es-m1",
            "labels": {"resourcebinding.karmada.io/permanent-id": "id-web", "own": "label"},
        },
    }
    there = binding({"m1": 3}, {})
    moved = {"clusterAffinity": {"clusterNames": ["m2"]}}

    left = only(planned(*FLEET, deployment(), policy(placement=moved), there, work))
    stays = only(planned(*FLEET, deployment(), policy(), there, work))

    assert left.removed == ("m1",)
    assert replicas(left) == {"m2": 3}
    assert stays.removed == ()
    assert ((stays.at("m1") or left.placements[0]).work or {})["metadata"]["labels"][
        "own"
    ] == "label"


def test_what_cannot_be_scheduled_any_more_removes_nothing_nor_what_it_needs() -> None:
    def objects(*names: str) -> list[dict[str, Any]]:
        where = {"clusterAffinity": {"clusterNames": list(names)}}
        chosen = policy(placement=where, propagateDeps=True)
        return [*FLEET, deployment(needs="settings"), config_map(), chosen]

    first = planned(*objects("m1"))
    there = [each.binding for each in first.templates if each.binding is not None]

    again = planned(*objects("nowhere"), *there, *first.works)

    assert isinstance(only(again).errors[0].error, NoClusterFit)
    assert [each.removed for each in again.templates] == [(), ()]
    settings_ = only(again, "settings")
    assert {each.cluster: each.required_by for each in settings_.placements} == {
        "m1": ("Deployment shop/web",)
    }


def test_a_binding_whose_policy_is_gone_stays_as_it_is() -> None:
    web = only(planned(*FLEET, deployment(), binding({"m2": 3}, {})))

    assert [each.cluster for each in web.placements] == ["m2"]
    assert web.policy is None
    assert [note.text for note in web.notes] == [
        "no policy selects it any more: it stays where its binding has it"
    ]


def test_a_binding_without_its_template_is_noted() -> None:
    plan = planned(*FLEET, binding({"m2": 3}, {}))

    assert [str(note) for note in plan.notes if "binding" in str(note).lower()] == [
        (
            "ResourceBinding shop/web-deployment: Deployment shop/web, its template, is not among "
            "the inputs"
        )
    ]
    assert not plan.templates


def test_suspended_scheduling_and_dispatching() -> None:
    held = {**binding({"m1": 3}, {}), "status": {}}
    held["spec"] = {**held["spec"], "suspension": {"scheduling": True}}
    paused = policy(suspension={"dispatchingOnClusters": {"clusterNames": ["m2"]}})

    still = only(planned(*FLEET, deployment(), policy(), held))
    slow = only(planned(*FLEET, deployment(), paused))

    assert replicas(still) == {"m1": 3}
    assert [note.text for note in still.notes] == [
        "its scheduling is suspended: clusters stay as they are"
    ]
    assert {each.cluster: each.suspended for each in slow.placements} == {
        "m1": False,
        "m2": True,
        "m3": False,
    }


def test_another_scheduler_is_noted() -> None:
    web = only(planned(*FLEET, deployment(), policy(schedulerName="mine")))

    assert len(web.placements) == 3
    assert [note.text for note in web.notes] == [
        "asks for the scheduler mine; planned as the default one would do it"
    ]


def test_nothing_in_a_namespace_of_the_control_plane_is_propagated() -> None:
    hidden = deployment(namespace="karmada-system")
    web = only(planned(*FLEET, hidden, policy("all", namespace="", selector={})))

    assert web.state is State.UNSELECTED
    assert [note.text for note in web.notes] == [
        "is in a namespace of the control plane: nothing there is propagated"
    ]


def test_affinity_terms_are_tried_in_order() -> None:
    terms = [
        {"affinityName": "near", "clusterNames": ["nowhere"]},
        {"affinityName": "far", "clusterNames": ["m2"]},
    ]
    web = only(planned(*FLEET, deployment(), policy(placement={"clusterAffinities": terms})))

    assert [(each.term, each.result) for each in web.passes] == [
        ("near", None),
        ("far", (("m2", 3),)),
    ]
    assert isinstance(web.passes[0].error, NoClusterFit)
    assert web.state is State.PLACED


def test_completions_of_a_job_are_divided() -> None:
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "report", "namespace": "shop"},
        "spec": {
            "parallelism": 4,
            "completions": 10,
            "template": deployment()["spec"]["template"],
        },
    }
    job["spec"]["template"]["spec"]["restartPolicy"] = "Never"
    fleet = cluster("m1"), cluster("m2")
    report = only(
        planned(*fleet, job, policy(of=job, placement={"replicaScheduling": DYNAMIC})), "report"
    )

    assert {each.cluster: (each.replicas, each.completions) for each in report.placements} == {
        "m1": (2, 5),
        "m2": (2, 5),
    }


def rollout() -> dict[str, Any]:
    return {**deployment(), "apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout"}


def ray_cluster() -> dict[str, Any]:
    def group(replicas: int | None) -> dict[str, Any]:
        pods = copy.deepcopy(deployment()["spec"]["template"])
        return {"template": pods, **({} if replicas is None else {"replicas": replicas})}

    return {
        "apiVersion": "ray.io/v1",
        "kind": "RayCluster",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {
            "headGroupSpec": group(None),
            "workerGroupSpecs": [{"groupName": "small", **group(2)}],
        },
    }


@pytest.mark.parametrize("gate", [False, True], ids=["gate off", "gate on"])
@pytest.mark.parametrize(
    "template", [deployment(), rollout(), ray_cluster()], ids=lambda template: template["kind"]
)
def test_no_work_gets_a_number_that_the_scheduler_did_not_give(
    template: dict[str, Any], gate: bool
) -> None:
    fleet = cluster("m1"), cluster("m2")
    dynamic = policy(of=template, placement={"replicaScheduling": DYNAMIC})
    gates = {"MultiplePodTemplatesScheduling": gate}

    plan = planned(*fleet, template, dynamic, gates=gates)

    web = only(plan)
    assert not plan.all_errors
    assert web.placements
    for placement in web.placements:
        manifest = placement.manifest or {}
        if template["kind"] != "RayCluster":
            assert manifest["spec"]["replicas"] == placement.replicas
            assert placement.replicas
        elif gate:
            assert placement.replicas is None
            assert manifest["spec"] == template["spec"]
    if template["kind"] != "RayCluster":
        assert sum(each.replicas or 0 for each in web.placements) == 3


class _Asked:
    """The interpreter, as if somebody might look at the cluster."""

    def __getattr__(self, name: str) -> Any:
        return getattr(INTERPRETER, name)

    def built_in(self, *_arguments: object) -> bool:
        return False


class _CannotRevise(_Asked):
    """The interpreter, without a rule that writes replicas."""

    def hook_enabled(self, gvk: GVK, operation: Operation) -> bool:
        return operation is not Operation.REVISE_REPLICA and INTERPRETER.hook_enabled(
            gvk, operation
        )


@pytest.mark.parametrize(
    ("scheduling", "shares"),
    [(DYNAMIC, {"m1": 1, "m2": 2}), (AGGREGATED, {"m1": 3}), (None, {"m1": 3, "m2": 3})],
    ids=["shares", "one cluster", "duplicated"],
)
def test_shares_that_no_rule_writes_are_noted(scheduling: Any, shares: dict[str, int]) -> None:
    fleet = cluster("m1"), cluster("m2")
    placement = {} if scheduling is None else {"replicaScheduling": scheduling}
    objects = [*fleet, deployment(), policy(placement=placement)]

    web = only(planned(*objects, interpreter=_CannotRevise()))

    assert replicas(web) == shares
    assert {(each.manifest or {})["spec"]["replicas"] for each in web.placements} == {3}
    noted = [note.text for note in web.notes if "ReviseReplica" in note.text]
    assert len(noted) == (scheduling is DYNAMIC)
    assert not any("the template's 3" not in text for text in noted)
    assert not only(planned(*objects)).notes


def test_what_is_planned_beyond_existing_replicas_fills_a_cluster() -> None:
    fleet = cluster("m1", cpu="10", used="6"), cluster("m2", cpu="4", used="0")
    placement: dict[str, Any] = {"clusterAffinity": {"clusterNames": ["m1"]}}
    plan = planned(
        *fleet, deployment(replicas=5), policy(placement=placement), binding({"m1": 3}, placement)
    )

    first, second = plan.clusters
    cpu = first.usage[0]
    assert (cpu.resource, cpu.allocatable, cpu.used, cpu.planned) == ("cpu", "10", "6", "2")
    assert (cpu.used_share, cpu.planned_share) == (0.6, 0.2)
    assert (first.objects, first.replicas, second.objects) == (1, 5, 0)


def test_a_cluster_that_gets_more_than_it_has_is_noted() -> None:
    small = cluster("m1", cpu="4")
    objects = [deployment("a", replicas=3), deployment("b", replicas=3)]
    placed = policy("p", selector={}, placement={"replicaScheduling": AGGREGATED})

    blind = planned(small, *objects, placed)
    careful = planned(small, *objects, placed, gates={"SchedulingOvercommitProtection": True})

    told = [str(note) for note in blind.notes if "more cpu" in str(note)]
    assert told == [
        (
            "cluster m1: gets more cpu than it has: 0 in use and 6 planned of 4; no template sees "
            "what the others take"
        )
    ]
    assert [error.about for error in careful.all_errors] == ["Deployment shop/b"]


def test_groups_of_workloads_stay_apart_with_the_gate() -> None:
    group = {"antiAffinity": {"groupByLabelKey": "team"}}
    one = {"spreadByField": "cluster", "minGroups": 1, "maxGroups": 1}
    apart = policy(
        "p", selector={}, placement={"workloadAffinity": group, "spreadConstraints": [one]}
    )
    objects = [deployment(name, labels={"team": "x"}) for name in ("a", "b")]

    plan = planned(*FLEET, *objects, apart, gates={"WorkloadAffinity": True})

    assert [replicas(each) for each in plan.templates] == [{"m1": 3}, {"m2": 3}]


class _EvenNames:
    name = "even-names"

    def filter(self, binding: dict[str, Any], cluster: dict[str, Any]) -> str | None:
        return None if int(cluster["metadata"]["name"][1:]) % 2 == 0 else "odd name"


def test_a_plugins_filter_has_its_say() -> None:
    parts = SchedulerParts(filters=(_EvenNames(),))

    web = only(planned(*FLEET, deployment(), policy(), parts=parts))

    assert replicas(web) == {"m2": 3}
    assert web.rejected == {"m1": "odd name", "m3": "odd name"}


def test_definitions_and_namespaces_are_shown_only_where_a_policy_selects_them() -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    chosen = policy("n", namespace="", of=namespace)

    assert [each.kind for each in planned(*FLEET, namespace).templates] == []
    (shown,) = planned(*FLEET, namespace, chosen).templates
    assert shown.reference == "Namespace shop"
    assert [each.cluster for each in shown.placements] == ["m1", "m2", "m3"]


def test_a_policy_that_waits_for_an_override_fails_its_templates() -> None:
    plan = planned(*FLEET, deployment(), policy(dependentOverrides=["later"]))

    (error,) = plan.all_errors
    assert (error.step, error.about) == ("policy", "Deployment shop/web")
    assert "waits for OverridePolicy later" in str(error)


def test_two_templates_that_would_share_a_binding_are_a_conflict() -> None:
    other = {**deployment(), "apiVersion": "example.com/v1"}
    both = policy("all", selector={}), policy("other", of=other)

    plan = planned(*FLEET, deployment(), other, *both)

    (error,) = plan.all_errors
    assert str(error) == (
        "Deployment shop/web: its binding web-deployment is that of apps/v1 Deployment shop/web "
        "(give one of them another name)"
    )
    assert error.source == "in.yaml, document 5"


def test_priorities_come_from_classes_among_the_inputs() -> None:
    def priority_class(name: str, value: object) -> dict[str, Any]:
        kind = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"}
        return {**kind, "metadata": {"name": name}, "value": value}

    def wanting(name: str) -> dict[str, Any]:
        source = {"priorityClassSource": "KubePriorityClass", "priorityClassName": name}
        return policy(schedulePriority=source)

    classes = priority_class("high", 100), priority_class("broken", "much")
    fine = planned(*FLEET, deployment(), *classes, wanting("high"))
    missing = planned(*FLEET, deployment(), *classes, wanting("broken"))

    assert (only(fine).binding or {})["spec"]["schedulePriority"] == {"priority": 100}
    assert [(each.about, each.step) for each in fine.all_errors] == [
        ("PriorityClass broken", "input")
    ]
    assert [(each.about, each.step) for each in missing.all_errors] == [
        ("Deployment shop/web", "policy"),
        ("PriorityClass broken", "input"),
    ]


def test_progress_goes_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []

    planned(*FLEET, deployment(), policy(), progress=lambda *step: told.append(step))

    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_inputs_are_not_changed() -> None:
    objects = [*FLEET, deployment(needs="settings"), config_map(), policy(propagateDeps=True)]
    before = copy.deepcopy(objects)

    planned(*objects)

    assert objects == before


_CHANGES: list[dict[str, Any]] = [
    {
        "imageOverrider": [
            {"component": "Registry", "operator": "replace", "value": "eu.example.com"}
        ]
    },
    {"labelsOverrider": [{"operator": "add", "value": {"a": "b"}}]},
    {"plaintext": [{"path": "/metadata/namespace", "operator": "replace", "value": "other"}]},
    {"plaintext": [{"path": "/kind", "operator": "replace", "value": "StatefulSet"}]},
]


def text_of(plan: Plan) -> str:
    """Everything of a plan that stands in Works."""
    return json.dumps(plan.works, sort_keys=True)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_works_made_from_a_model_are_those_made_one_by_one(data: st.DataObject) -> None:
    names = [f"m{number}" for number in range(6)]
    fleet = [cluster(name, labels={"even": str(number % 2)}) for number, name in enumerate(names)]
    overrides = [
        override(
            f"o{number}",
            data.draw(st.sampled_from(_CHANGES)),
            clusterNames=data.draw(st.lists(st.sampled_from(names), unique=True)),
        )
        for number in range(data.draw(st.integers(0, 3)))
    ]
    for each in overrides:
        if data.draw(st.booleans()):
            each["kind"] = "ClusterOverridePolicy"
            del each["metadata"]["namespace"]
            if data.draw(st.booleans()):
                del each["spec"]["resourceSelectors"]
    scheduling = data.draw(st.sampled_from([None, DYNAMIC, AGGREGATED]))
    placement = {} if scheduling is None else {"replicaScheduling": scheduling}
    suspended = data.draw(st.lists(st.sampled_from(names), unique=True))
    suspension = {"dispatchingOnClusters": {"clusterNames": suspended}}
    chosen = policy(placement=placement, suspension=suspension)
    objects = [*fleet, deployment(replicas=data.draw(st.integers(0, 20))), chosen, *overrides]

    shared, single = planned(*objects), planned(*objects, interpreter=_Asked())

    assert text_of(shared) == text_of(single)
    assert list(map(str, shared.all_errors)) == list(map(str, single.all_errors))


@settings(max_examples=30, deadline=None)
@given(order=st.permutations(range(9)))
def test_a_plan_is_deterministic_and_the_order_of_files_decides_nothing(order: list[int]) -> None:
    objects = [
        *FLEET,
        policy("a", selector={}, placement={"replicaScheduling": DYNAMIC}, propagateDeps=True),
        policy("b", selector={}),
        deployment("web", replicas=7, needs="settings"),
        config_map(),
        override("x", _CHANGES[0], clusterNames=["m1"]),
        override("y", _CHANGES[1]),
    ]

    def works(plan: Plan) -> list[str]:
        return sorted(json.dumps(work, sort_keys=True) for work in plan.works)

    assert works(planned(*(objects[at] for at in order))) == works(planned(*objects))


def shuffled(value: Any, draw: random.Random) -> Any:
    """The same value, its keys in another order."""
    if isinstance(value, dict):
        keys = draw.sample(list(value), len(value))
        return {key: shuffled(value[key], draw) for key in keys}
    return [shuffled(item, draw) for item in value] if isinstance(value, list) else value


class _Scripted(_Asked):
    """The interpreter as scripts answer: keys stand in no order."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)

    def get_replicas(self, obj: dict[str, Any]) -> ReplicaResult:
        requests = shuffled({"cpu": "1", "memory": "1Gi", "example.com/gpu": "1"}, self._draw)
        return ReplicaResult(3, ReplicaRequirements(resource_request=requests))

    def get_dependencies(self, obj: dict[str, Any]) -> list[DependentObjectReference]:
        labels = shuffled({"a": "b", "c": "d", "e": "f"}, self._draw)
        selector = {"matchLabels": labels}
        return [DependentObjectReference("v1", "ConfigMap", "shop", label_selector=selector)]

    def revise_replica(
        self, obj: dict[str, Any], replicas: int, *, context: HookContext | None = None
    ) -> Any:
        return shuffled(INTERPRETER.revise_replica(obj, replicas, context=context), self._draw)

    def prune(self, obj: dict[str, Any], **options: Any) -> Any:
        return shuffled(INTERPRETER.prune(obj, **options), self._draw)


@pytest.mark.parametrize("seed", range(3))
def test_scripts_that_answer_in_no_order_make_the_same_plan_each_time(seed: int) -> None:
    objects = [*FLEET, deployment(), policy(propagateDeps=True)]

    first, second = (planned(*objects, interpreter=_Scripted(each)) for each in (7, seed))

    assert json.dumps(first.works) == json.dumps(second.works)
    assert json.dumps(only(first).binding) == json.dumps(only(second).binding)
    assert list(only(first).requests) == ["cpu", "example.com/gpu", "memory"]
    assert list(first.works[0]["spec"]["workload"]["manifests"][0]) == list(deployment())


class _WithComponents(_Scripted):
    """Somebody above native who knows components, with keys in no order."""

    def claims(self, gvk: GVK, operation: Operation) -> list[Any]:
        answers = SimpleNamespace(counted=True, tier="bundled")
        return [SimpleNamespace(skipped=None, implementation=answers)]

    def get_components(self, obj: dict[str, Any]) -> list[Component]:
        needs = [self.get_replicas(obj).requirements for _ in range(2)]
        return [Component(f"part-{number}", 1, each) for number, each in enumerate(needs)]


def test_components_of_scripts_have_one_order_too() -> None:
    objects = [*FLEET, deployment(), policy()]
    gates = {"MultiplePodTemplatesScheduling": True}

    bindings = [
        only(planned(*objects, interpreter=_WithComponents(seed), gates=gates)).binding
        for seed in range(3)
    ]

    assert len({json.dumps(each) for each in bindings}) == 1
    assert (bindings[0] or {})["spec"]["components"]
