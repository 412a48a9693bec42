from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from fleet_samples import AGGREGATED, DUPLICATED, DYNAMIC, binding, cluster, counts

from interpreter.errors import NoClusterFit, Unschedulable
from interpreter.scheduler import Fleet, Scheduler, Trigger, apply, reconcile, trigger_of
from interpreter.scheduler.bindings import schedule_binding
from interpreter.scheduler.triggers import APPLIED_PLACEMENT, normal

NOW = "2030-05-05T05:05:05Z"
FLEET = Fleet([cluster("a", cpu="10"), cluster("b", cpu="6"), cluster("c", deleting=True)])
TERMS = {
    "clusterAffinities": [
        {"affinityName": "first", "clusterNames": ["nowhere"]},
        {"affinityName": "second", "clusterNames": ["b"]},
        {"affinityName": "third", "clusterNames": ["a"]},
    ]
}


def applied(item: dict[str, Any], placement: Any = None) -> dict[str, Any]:
    """The binding, scheduled before with its own placement or another one."""
    text = placement
    if not isinstance(placement, str):
        text = json.dumps(item["spec"]["placement"] if placement is None else placement)
    item["metadata"]["annotations"] = {APPLIED_PLACEMENT: text}
    return item


def observing(name: str) -> dict[str, Any]:
    return {"schedulerObservingAffinityName": name}


@pytest.mark.parametrize(
    ("item", "trigger"),
    [
        pytest.param(binding(2, DYNAMIC), "PlacementChanged", id="never scheduled"),
        pytest.param(
            applied(binding(2, DYNAMIC, clusters={"a": 2})), "None", id="nothing has changed"
        ),
        pytest.param(
            applied(binding(2, DYNAMIC, clusters={"a": 2}), {"clusterAffinity": {}}),
            "PlacementChanged",
            id="another placement",
        ),
        pytest.param(
            applied(binding(2, DYNAMIC, clusters={"a": 2}), "not JSON"), "None", id="broken text"
        ),
        pytest.param(
            applied(binding(2, DYNAMIC, clusters={"a": 2}), "[]"), "None", id="no placement at all"
        ),
        pytest.param(
            applied(binding(2, DYNAMIC, clusters={"a": 1})), "ReplicasChanged", id="another sum"
        ),
        pytest.param(
            applied(binding(2, DUPLICATED, clusters={"a": 2, "b": 1})),
            "ReplicasChanged",
            id="another count",
        ),
        pytest.param(
            applied(
                binding(
                    2,
                    DYNAMIC,
                    clusters={"a": 2},
                    rescheduleTriggeredAt="2030-01-02T00:00:00Z",
                    status={"lastScheduledTime": "2030-01-01T00:00:00Z"},
                )
            ),
            "RescheduleTriggered",
            id="a reschedule is due",
        ),
        pytest.param(applied(binding()), "NonWorkload", id="no workload"),
        pytest.param(applied(binding(2, DUPLICATED)), "Duplicated", id="duplicated"),
        pytest.param(
            applied(binding(2, AGGREGATED, clusters={"c": 2})),
            "TargetClusterTerminating",
            id="a cluster goes",
        ),
    ],
)
def test_a_binding_is_scheduled_for_a_reason(item: dict[str, Any], trigger: str) -> None:
    assert trigger_of(item, FLEET) == trigger


def test_components_without_a_schedule_need_one_with_the_gate_on() -> None:
    item = applied(binding(0, AGGREGATED, components=[{"name": "one", "replicas": 1}]))
    assert trigger_of(item, FLEET) is Trigger.NONE
    assert trigger_of(item, FLEET, multiple_templates=True) is Trigger.REPLICAS_CHANGED


@pytest.mark.parametrize(
    ("before", "observed", "trigger"),
    [
        pytest.param({"first": ["x"]}, "second", "None", id="another term"),
        pytest.param({"second": ["x"]}, "second", "PlacementChanged", id="the term in force"),
        pytest.param({"first": ["x"]}, "", "PlacementChanged", id="none is in force"),
        pytest.param({"first": ["x"]}, "fourth", "PlacementChanged", id="it is gone"),
    ],
)
def test_only_the_affinity_in_force_counts(
    before: dict[str, list[str]], observed: str, trigger: str
) -> None:
    old = {
        "replicaScheduling": DYNAMIC,
        "clusterAffinities": [
            {**term, "clusterNames": before.get(term["affinityName"], term["clusterNames"])}
            for term in reversed(TERMS["clusterAffinities"])
        ],
    }
    item = binding(2, DYNAMIC, placement=TERMS, clusters={"b": 2}, status=observing(observed))
    assert trigger_of(applied(item, old), FLEET) == trigger


def test_an_empty_list_says_nothing_but_an_empty_object_does() -> None:
    item = binding(2, DYNAMIC, clusters={"a": 2}, placement={"clusterTolerations": []})
    assert trigger_of(applied(item, {"replicaScheduling": DYNAMIC}), FLEET) is Trigger.NONE
    item = binding(2, DYNAMIC, clusters={"a": 2}, placement={"clusterAffinity": {}})
    changed = trigger_of(applied(item, {"replicaScheduling": DYNAMIC}), FLEET)
    assert changed is Trigger.PLACEMENT_CHANGED


def test_what_says_nothing_is_left_out_of_a_placement() -> None:
    placement = {
        "clusterAffinity": {"exclude": [], "labelSelector": {"matchLabels": {"a": ""}}},
        "clusterTolerations": [{"key": "", "operator": "Exists", "tolerationSeconds": 0}],
        "spreadConstraints": [{"spreadByField": "cluster", "minGroups": 0, "maxGroups": 2}],
        "workloadAffinity": None,
    }
    assert normal(placement) == {
        "clusterAffinity": {"labelSelector": {"matchLabels": {"a": ""}}},
        "clusterTolerations": [{"operator": "Exists", "tolerationSeconds": 0}],
        "spreadConstraints": [{"spreadByField": "cluster", "maxGroups": 2}],
    }


def test_terms_are_tried_in_order_and_the_first_that_fits_is_in_force() -> None:
    item = binding(2, DYNAMIC, placement=TERMS)
    before = copy.deepcopy(item)
    outcome = reconcile(Scheduler(FLEET), item)
    assert [entry.affinity for entry in outcome.tries] == ["first", "second"]
    assert isinstance(outcome.tries[0].error, NoClusterFit)
    after = apply(item, outcome, now=NOW)
    assert item == before
    assert after["spec"]["clusters"] == [{"name": "b", "replicas": 2}]
    assert (
        json.loads(after["metadata"]["annotations"][APPLIED_PLACEMENT])
        == (item["spec"]["placement"])
    )
    assert after["status"] == {
        "schedulerObservingAffinityName": "second",
        "schedulerObservedGeneration": 4,
        "lastScheduledTime": NOW,
        "conditions": [
            {
                "type": "Scheduled",
                "status": "True",
                "reason": "Success",
                "message": "Binding has been scheduled successfully.",
                "lastTransitionTime": NOW,
            }
        ],
    }
    assert [event.type for event in outcome.events] == ["Warning", "Normal"]
    assert outcome.events[0].message.startswith(
        "failed to schedule ResourceBinding(shop/web-deployment) with clusterAffiliates index(0): "
    )
    assert outcome.events[1].message.endswith("Result: {b:2}")
    assert trigger_of(after, FLEET) is Trigger.NONE


def test_nobody_goes_back_to_an_earlier_term() -> None:
    item = binding(20, DYNAMIC, placement=TERMS, status=observing("second"))
    outcome = schedule_binding(Scheduler(FLEET), item)
    assert [entry.affinity for entry in outcome.tries] == ["second", "third"]
    item = binding(
        2,
        DYNAMIC,
        placement=TERMS,
        rescheduleTriggeredAt="2030-01-02T00:00:00Z",
        status={**observing("third"), "lastScheduledTime": "2030-01-01T00:00:00Z"},
    )
    outcome = schedule_binding(Scheduler(FLEET), item)
    assert [entry.affinity for entry in outcome.tries] == ["first", "second"]


def test_clusters_stay_when_there_is_too_little_room() -> None:
    item = binding(20, DYNAMIC, clusters={"a": 3})
    outcome = schedule_binding(Scheduler(FLEET), item)
    assert isinstance(outcome.error, Unschedulable)
    after = apply(item, outcome, now=NOW)
    assert after["spec"] == item["spec"]
    assert "annotations" not in after["metadata"]
    (condition,) = after["status"]["conditions"]
    assert (condition["status"], condition["reason"]) == ("False", "Unschedulable")
    assert condition["message"] == outcome.error.message
    assert "lastScheduledTime" not in after["status"]


def test_clusters_go_when_none_fits() -> None:
    item = binding(2, DYNAMIC, placement={"clusterAffinity": {"clusterNames": ["x"]}})
    item["spec"]["clusters"] = [{"name": "a", "replicas": 2}]
    outcome = schedule_binding(Scheduler(FLEET), item)
    after = apply(item, outcome, now=NOW)
    assert outcome.error is None
    assert after["spec"]["clusters"] == []
    assert after["status"]["conditions"][0]["reason"] == "NoClusterFit"
    assert APPLIED_PLACEMENT in after["metadata"]["annotations"]
    assert len(outcome.events) == 1


def test_the_first_of_several_errors_decides() -> None:
    terms = {"clusterAffinities": list(reversed(TERMS["clusterAffinities"]))}
    outcome = schedule_binding(Scheduler(FLEET), binding(20, DYNAMIC, placement=terms))
    assert isinstance(outcome.error, Unschedulable)
    assert outcome.clusters is None
    assert isinstance(outcome.tries[-1].error, NoClusterFit)


@pytest.mark.parametrize(
    ("change", "trigger", "text"),
    [
        pytest.param(
            {"metadata": {"name": "web", "deletionTimestamp": NOW}},
            "SkippedDeleting",
            "skip schedule deleting clusterResourceBinding: web",
            id="deleting",
        ),
        pytest.param(
            {"metadata": {"name": "web"}, "spec": {"replicas": 1}},
            "NoPlacement",
            "failed to get placement from clusterResourceBinding(web)",
            id="no placement",
        ),
    ],
)
def test_some_bindings_are_not_scheduled(change: dict[str, Any], trigger: str, text: str) -> None:
    item = {**binding(1), "kind": "ClusterResourceBinding", **change}
    outcome = reconcile(Scheduler(FLEET), item)
    assert outcome.trigger == trigger
    assert outcome.tries == []
    told = [event.message for event in outcome.events]
    assert (told or [outcome.error and outcome.error.message]) == [text]
    assert apply(item, outcome, now=NOW) == item


def test_an_unchanged_binding_is_only_marked_as_seen() -> None:
    item = applied(binding(2, DYNAMIC, clusters={"a": 2}))
    outcome = reconcile(Scheduler(FLEET), item)
    assert apply(item, outcome, now=NOW)["status"] == {"schedulerObservedGeneration": 4}


def test_a_condition_keeps_its_time_while_its_status_stays() -> None:
    old = {"type": "Scheduled", "status": "True", "lastTransitionTime": "2029-01-01T00:00:00Z"}
    ready = {"type": "FullyApplied", "status": "True"}
    item = binding(2, DUPLICATED, status={"conditions": [ready, old]})
    after = apply(item, schedule_binding(Scheduler(FLEET), item), now=NOW)
    assert after["status"]["conditions"][0] == ready
    assert after["status"]["conditions"][1]["lastTransitionTime"] == "2029-01-01T00:00:00Z"
    assert counts(schedule_binding(Scheduler(FLEET), item).clusters) == {"a": 2, "b": 2}
