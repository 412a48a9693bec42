from __future__ import annotations

import copy
from typing import Any

import pytest
from fleet_samples import AGGREGATED, DUPLICATED, DYNAMIC, WEIGHTED, binding, cluster, counts
from hypothesis import given
from hypothesis import strategies as st

from interpreter.errors import InvalidObject, NoClusterFit, SchedulingError, Unschedulable
from interpreter.scheduler import Assumed, Fleet, Scheduler, Workloads


def schedule(fleet: list[dict[str, Any]], item: dict[str, Any], **options: Any) -> dict[str, int]:
    return counts(Scheduler(Fleet(fleet), **options).schedule(item))


THREE = [cluster("a", cpu="10"), cluster("b", cpu="6"), cluster("c", cpu="2")]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        pytest.param(binding(4, DUPLICATED), {"a": 4, "b": 4, "c": 4}, id="duplicated"),
        pytest.param(binding(4), {"a": 4, "b": 4, "c": 4}, id="no strategy is duplicated"),
        pytest.param(binding(4, WEIGHTED), {"a": 2, "b": 1, "c": 1}, id="equal weights"),
        pytest.param(
            binding(
                6,
                {
                    **WEIGHTED,
                    "weightPreference": {
                        "staticWeightList": [
                            {"targetCluster": {"clusterNames": ["a", "b"]}, "weight": 1},
                            {"targetCluster": {"clusterNames": ["b"]}, "weight": 2},
                        ]
                    },
                },
            ),
            {"a": 2, "b": 4},
            id="the largest static weight of a cluster",
        ),
        pytest.param(
            binding(
                3,
                {
                    **WEIGHTED,
                    "weightPreference": {
                        "staticWeightList": [
                            {"targetCluster": {"clusterNames": ["elsewhere"]}, "weight": 9}
                        ]
                    },
                },
            ),
            {"a": 1, "b": 1, "c": 1},
            id="nobody has a weight",
        ),
        pytest.param(binding(9, DYNAMIC), {"a": 5, "b": 3, "c": 1}, id="dynamic weight"),
        pytest.param(binding(9, AGGREGATED), {"a": 9}, id="aggregated"),
        pytest.param(binding(12, AGGREGATED), {"a": 7, "b": 5}, id="as few as suffice"),
        pytest.param(binding(), {"a": 0, "b": 0, "c": 0}, id="no workload"),
    ],
)
def test_strategies_give_replicas(item: dict[str, Any], expected: dict[str, int]) -> None:
    assert schedule(THREE, item) == expected


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        pytest.param(
            binding(6, DYNAMIC, clusters={"c": 1, "b": 5}), [("c", 1), ("b", 5)], id="same"
        ),
        pytest.param(
            binding(9, AGGREGATED, clusters={"c": 1}), [("a", 7), ("c", 2)], id="those in use first"
        ),
        pytest.param(
            binding(2, DYNAMIC, clusters={"b": 4, "c": 4}), [("b", 1), ("c", 1)], id="down"
        ),
        pytest.param(
            binding(7, AGGREGATED, clusters={"b": 3, "gone": 5}),
            [("b", 7)],
            id="a cluster vanished",
        ),
    ],
)
def test_steady_scaling_moves_only_the_difference(
    item: dict[str, Any], expected: list[tuple[str, int]]
) -> None:
    targets = Scheduler(Fleet(THREE)).schedule(item)
    assert [(target.name, target.replicas) for target in targets] == expected


def test_a_reschedule_starts_afresh() -> None:
    item = binding(
        9,
        DYNAMIC,
        clusters={"c": 9},
        rescheduleTriggeredAt="2030-01-02T00:00:00Z",
        status={"lastScheduledTime": "2030-01-01T23:59:59Z"},
    )
    # What runs on c counts as its capacity: 2 + 9.
    assert schedule(THREE, item) == {"a": 3, "b": 2, "c": 4}
    item["status"]["lastScheduledTime"] = "2030-01-02T01:00:00+01:00"
    assert schedule(THREE, item) == {"c": 9}


def test_a_time_that_is_none_is_an_error() -> None:
    item = binding(
        1,
        DYNAMIC,
        rescheduleTriggeredAt="soon",
        status={"lastScheduledTime": "2030-01-01T00:00:00Z"},
    )
    with pytest.raises(InvalidObject) as caught:
        schedule(THREE, item)
    assert caught.value.path == "spec.rescheduleTriggeredAt"


def test_too_many_replicas_are_unschedulable() -> None:
    with pytest.raises(Unschedulable) as caught:
        schedule(THREE, binding(19, DYNAMIC))
    assert caught.value.message == (
        "failed to assign replicas: failed to scale up: "
        "Clusters available replicas 18 are not enough to schedule."
    )


def test_empty_workloads_keep_the_clusters_that_were_selected() -> None:
    assert schedule(THREE, binding(9, AGGREGATED), empty_workloads=True) == {"a": 9, "b": 0, "c": 0}


OWN = {"schedulerObservingAffinityName": "own"}
OVERFLOW = {
    "clusterAffinities": [
        {
            "affinityName": "own",
            "clusterNames": ["c"],
            "overflowAffinities": [{"clusterNames": ["b"]}, {"clusterNames": ["a"]}],
        }
    ]
}


def test_overflow_groups_take_what_is_left() -> None:
    item = binding(9, DYNAMIC, placement=OVERFLOW, status=OWN)
    targets = Scheduler(Fleet(THREE)).schedule(item)
    assert [(target.name, target.replicas) for target in targets] == [("c", 2), ("b", 6), ("a", 1)]
    assert counts(targets) == schedule(THREE, item)


def test_overflow_that_does_not_suffice_is_unschedulable() -> None:
    item = binding(
        19, DYNAMIC, placement=OVERFLOW, status={"schedulerObservingAffinityName": "own"}
    )
    with pytest.raises(Unschedulable, match="Clusters available replicas are not enough"):
        schedule(THREE, item)


def test_overflow_is_for_workloads_only() -> None:
    item = binding(placement=OVERFLOW, status=OWN)
    assert schedule(THREE, item) == {"c": 0}


def test_spread_over_regions_takes_the_best_of_each_first() -> None:
    fleet = [
        cluster("a", region="eu", cpu="1"),
        cluster("b", region="eu", cpu="9"),
        cluster("c", region="us", cpu="4"),
        cluster("d", region="us", cpu="5"),
        cluster("e"),
    ]
    constraints = [
        {"spreadByField": "region", "minGroups": 2, "maxGroups": 2},
        {"spreadByField": "cluster", "minGroups": 2, "maxGroups": 3},
    ]
    item = binding(6, DYNAMIC, placement={"spreadConstraints": constraints})
    assert schedule(fleet, item) == {"b": 3, "c": 1, "d": 2}
    attempt = Scheduler(Fleet(fleet)).explain(item)
    assert attempt.rejected == {"e": "cluster(s) did not have region property"}
    assert {name: group.members for name, group in attempt.groups["region"].items()} == {
        "eu": [0, 3],
        "us": [1, 2],
    }


@pytest.mark.parametrize(
    ("constraints", "replicas", "message"),
    [
        pytest.param(
            [{"spreadByField": "cluster", "minGroups": 4, "maxGroups": 9}],
            1,
            "the number of feasible clusters is less than spreadConstraint.MinGroups",
            id="too few clusters",
        ),
        pytest.param(
            [{"spreadByField": "cluster", "minGroups": 1, "maxGroups": 2}],
            17,
            "no enough resource when selecting 2 clusters",
            id="too little room",
        ),
        pytest.param(
            [{"spreadByField": "provider", "minGroups": 1, "maxGroups": 2}],
            1,
            "just support cluster and region spread constraint",
            id="another field alone",
        ),
    ],
)
def test_constraints_that_cannot_be_met_say_so(
    constraints: list[dict[str, Any]], replicas: int, message: str
) -> None:
    fleet = [{**entry, "spec": {"provider": "aws"}} for entry in THREE]
    item = binding(replicas, DYNAMIC, placement={"spreadConstraints": constraints})
    with pytest.raises(SchedulingError) as caught:
        schedule(fleet, item)
    assert caught.value.message == f"failed to select clusters: {message}"


def test_a_cluster_with_room_replaces_a_better_one_without() -> None:
    constraint = {"spreadByField": "cluster", "minGroups": 1, "maxGroups": 1}
    item = binding(8, DYNAMIC, placement={"spreadConstraints": [constraint]}, clusters={"c": 1})
    # c is in use and scores best, but takes 2 more only.
    assert schedule(THREE, item) == {"a": 8}


def test_filters_tell_why_in_their_order() -> None:
    taint = {"key": "down", "effect": "NoExecute"}
    fleet = [
        cluster("a", kinds=["Job"], taints=[taint]),
        cluster("b", taints=[taint]),
        cluster("c"),
        cluster("d"),
        cluster("e", deleting=True),
    ]
    item = binding(
        2,
        placement={"clusterAffinity": {"clusterNames": ["a", "b", "d"]}},
        gracefulEvictionTasks=[{"fromCluster": "d"}],
    )
    with pytest.raises(NoClusterFit) as caught:
        schedule(fleet, item)
    assert caught.value.rejected == {
        "a": "cluster(s) did not have the API resource",
        "b": "cluster(s) had untolerated taint {down:NoExecute}",
        "c": "cluster(s) did not match the placement cluster affinity constraint",
        "d": "cluster(s) is in the process of eviction",
    }
    assert caught.value.message.startswith("0/5 clusters are available: 1 cluster(s) did not have")
    assert Scheduler(Fleet(fleet)).explain(item).leaving == ["e"]


def test_a_cluster_in_use_is_spared_taints_and_missing_kinds() -> None:
    taint = {"key": "down", "effect": "NoExecute"}
    fleet = [cluster("a", kinds=["Job"], taints=[taint]), cluster("b")]
    assert schedule(fleet, binding(2, clusters={"a": 2})) == {"a": 2, "b": 2}
    named = {"clusterAffinity": {"clusterNames": ["b"]}}
    assert schedule(fleet, binding(2, clusters={"a": 2}, placement=named)) == {"b": 2}


def other(name: str, clusters: list[str], **groups: str) -> dict[str, Any]:
    return {
        "metadata": {"name": name, "namespace": "shop", "resourceVersion": "7"},
        "spec": {
            "clusters": [{"name": entry} for entry in clusters],
            "workloadAffinityGroups": groups,
        },
    }


@pytest.mark.parametrize(
    ("group", "others", "expected"),
    [
        pytest.param(
            "antiAffinityGroup", [other("db", ["a"], antiAffinityGroup="g")], {"b", "c"}, id="apart"
        ),
        pytest.param(
            "affinityGroup",
            [other("db", ["a", "b"], affinityGroup="g"), other("mq", ["b"], affinityGroup="g")],
            {"b"},
            id="together with all",
        ),
        pytest.param(
            "affinityGroup",
            [other("db", [], affinityGroup="g"), other("web-deployment", ["a"], affinityGroup="g")],
            {"a", "b", "c"},
            id="the unscheduled and itself do not count",
        ),
    ],
)
def test_other_workloads_have_a_say_with_the_gate_on(
    group: str, others: list[dict[str, Any]], expected: set[str]
) -> None:
    item = binding(1, workloadAffinityGroups={group: "g"})
    workloads = Workloads(others)
    on = Scheduler(Fleet(THREE), feature_gates={"WorkloadAffinity": True})
    assert set(counts(on.schedule(item, workloads=workloads))) == expected
    off = Scheduler(Fleet(THREE))
    assert set(counts(off.schedule(item, workloads=workloads))) == {"a", "b", "c"}


def test_a_newer_copy_of_the_scheduler_is_judged() -> None:
    item = binding(1, workloadAffinityGroups={"antiAffinityGroup": "g"})
    own = other("db", ["b"], antiAffinityGroup="g")
    own["metadata"]["resourceVersion"] = "10"
    workloads = Workloads([other("db", ["a"], antiAffinityGroup="g")], [own])
    scheduler = Scheduler(Fleet(THREE), feature_gates={"WorkloadAffinity": True})
    assert set(counts(scheduler.schedule(item, workloads=workloads))) == {"a", "c"}


PARTS = [
    {"name": "head", "replicas": 1, "replicaRequirements": {"resourceRequest": {"cpu": "1"}}},
    {"name": "worker", "replicas": 4, "replicaRequirements": {"resourceRequest": {"cpu": "1"}}},
]
ONE_CLUSTER = {"spreadConstraints": [{"spreadByField": "cluster", "minGroups": 1, "maxGroups": 1}]}


def test_components_are_scheduled_as_sets_with_the_gate_on() -> None:
    item = binding(0, AGGREGATED, components=PARTS, placement=ONE_CLUSTER)
    gates = {"MultiplePodTemplatesScheduling": True}
    (target,) = Scheduler(Fleet(THREE), feature_gates=gates).schedule(item)
    assert target == ("a", 0, (("head", 1), ("worker", 4)))
    assert target.to_dict() == {
        "name": "a",
        "components": [{"name": "head", "replicas": 1}, {"name": "worker", "replicas": 4}],
    }
    (target,) = Scheduler(Fleet(THREE)).schedule(item)
    assert target == ("a", 0, ())


def test_workloads_on_their_way_are_room_that_is_taken() -> None:
    gates = {"MultiplePodTemplatesScheduling": True, "SchedulingOvercommitProtection": True}
    item = binding(0, AGGREGATED, components=PARTS, placement=ONE_CLUSTER)
    scheduler = Scheduler(Fleet(THREE), feature_gates=gates)
    assumed = [Assumed("a", PARTS), Assumed("a", PARTS)]
    assert set(counts(scheduler.schedule(item, assumed=assumed))) == {"b"}


@pytest.mark.parametrize(
    ("scheduling", "shown"),
    [
        pytest.param({}, "replicaSchedulingType: , replicaDivisionPreference: ,", id="empty"),
        pytest.param(
            {"replicaSchedulingType": "Divided"},
            "replicaSchedulingType: Divided, replicaDivisionPreference: ,",
            id="no preference",
        ),
    ],
)
def test_an_unknown_strategy_is_an_error(scheduling: dict[str, Any], shown: str) -> None:
    with pytest.raises(SchedulingError, match=f"unsupported replica scheduling strategy, {shown}"):
        schedule(THREE, binding(1, scheduling))


def test_a_placement_of_the_wrong_shape_names_the_path() -> None:
    item = binding(1, placement={"clusterAffinity": {"clusterNames": "a"}})
    with pytest.raises(InvalidObject) as caught:
        schedule(THREE, item)
    assert caught.value.path == "spec.placement.clusterAffinity.clusterNames"


NAMES = st.sampled_from(["a", "b", "c", "d", "gone"])
FLEETS = st.lists(
    st.builds(
        lambda name, cpu, labels, region: cluster(name, cpu=str(cpu), labels=labels, region=region),
        st.sampled_from(["a", "b", "c", "d"]),
        st.integers(0, 20),
        st.sampled_from([{}, {"tier": "gold"}]),
        st.sampled_from(["eu", "us"]),
    ),
    max_size=4,
    unique_by=lambda entry: entry["metadata"]["name"],
)
DIVIDED = st.sampled_from([AGGREGATED, DYNAMIC, WEIGHTED])
PREVIOUS = st.dictionaries(NAMES, st.integers(0, 9), max_size=4)
PLACEMENTS = st.fixed_dictionaries(
    {},
    optional={
        "clusterAffinity": st.sampled_from(
            [{"labelSelector": {"matchLabels": {"tier": "gold"}}}, {"exclude": ["a"]}]
        ),
        "spreadConstraints": st.sampled_from(
            [
                [{"spreadByField": "cluster", "minGroups": 1, "maxGroups": 3}],
                [
                    {"spreadByField": "region", "minGroups": 1, "maxGroups": 2},
                    {"spreadByField": "cluster", "minGroups": 1, "maxGroups": 3},
                ],
            ]
        ),
    },
)


@given(FLEETS, DIVIDED, st.integers(1, 30), PREVIOUS, PLACEMENTS)
def test_divided_replicas_add_up_and_stay_where_filters_let_them(
    fleet: list[dict[str, Any]],
    scheduling: dict[str, Any],
    replicas: int,
    previous: dict[str, int],
    placement: dict[str, Any],
) -> None:
    item = binding(replicas, scheduling, clusters=previous, placement=placement)
    given_ = copy.deepcopy(item)
    attempt = Scheduler(Fleet(fleet)).explain(item)
    assert item == given_
    if attempt.targets is None:
        assert attempt.error is not None
        return
    assert sum(target.replicas for target in attempt.targets) == replicas
    assert attempt.candidates is not None
    names = {target.name for target in attempt.targets}
    assert names <= set(attempt.candidates.names)
    assert names.isdisjoint(attempt.rejected)


@given(FLEETS, DIVIDED, st.integers(1, 30), st.permutations(["a", "b", "c", "d"]))
def test_the_order_in_which_clusters_come_does_not_matter(
    fleet: list[dict[str, Any]], scheduling: dict[str, Any], replicas: int, order: list[str]
) -> None:
    item = binding(replicas, scheduling)
    shuffled = sorted(fleet, key=lambda entry: order.index(entry["metadata"]["name"]))
    first, second = (Scheduler(Fleet(entries)).explain(item) for entries in (fleet, shuffled))
    assert first.targets == second.targets
    assert str(first.error) == str(second.error)


@given(FLEETS, st.sampled_from([AGGREGATED, DYNAMIC]), PREVIOUS, st.integers(0, 12))
def test_scaling_up_takes_nothing_away(
    fleet: list[dict[str, Any]],
    scheduling: dict[str, Any],
    previous: dict[str, int],
    more: int,
) -> None:
    names = {entry["metadata"]["name"] for entry in fleet}
    staying = {name: count for name, count in previous.items() if name in names}
    replicas = sum(staying.values()) + more
    if not replicas:
        return
    attempt = Scheduler(Fleet(fleet)).explain(binding(replicas, scheduling, clusters=previous))
    if attempt.targets is not None:
        after = counts(attempt.targets)
        assert all(after.get(name, 0) >= count for name, count in staying.items())
