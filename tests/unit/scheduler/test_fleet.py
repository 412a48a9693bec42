from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from fleet_samples import AGGREGATED, DUPLICATED, DYNAMIC, WEIGHTED, binding, cluster
from hypothesis import given
from hypothesis import strategies as st

from interpreter.errors import InvalidObject, SchedulingError
from interpreter.machinery.affinity import compile_affinity
from interpreter.scheduler import Fleet, Scheduler
from interpreter.scheduler.estimator import max_replicas, read_room
from interpreter.scheduler.topology import Topology

NAMES = st.sampled_from(["a", "b", "c", "d", "e", "f"])
VALUES = st.sampled_from(["1", "2", "x"])
TAINTS = st.lists(
    st.fixed_dictionaries(
        {
            "key": st.sampled_from(["gpu", "old"]),
            "effect": st.sampled_from(["NoSchedule", "NoExecute", "PreferNoSchedule"]),
        }
    ),
    max_size=2,
)


@st.composite
def clusters(draw: st.DrawFn) -> dict[str, Any]:
    made = cluster(
        draw(NAMES),
        cpu=draw(st.sampled_from(["0", "500m", "3", "40", None])),
        pods=draw(st.sampled_from(["0", "2", "30"])),
        labels=draw(st.dictionaries(st.sampled_from(["tier", "team"]), VALUES, max_size=2)),
        kinds=draw(st.sampled_from([["Deployment"], ["Deployment", "Job"], ["Job"]])),
        deleting=draw(st.sampled_from([False, False, False, True])),
        region=draw(st.sampled_from(["", "eu", "7"])),
        zones=draw(st.lists(st.sampled_from(["z1", "z2", "z3"]), max_size=2, unique=True)),
        taints=draw(TAINTS),
    )
    if draw(st.booleans()):
        made["spec"]["resourceModels"] = [
            {"grade": 1, "ranges": [{"name": "cpu", "min": "1"}]},
            {"grade": 2, "ranges": [{"name": "cpu", "min": "4"}]},
        ]
        if "resourceSummary" in made["status"]:
            made["status"]["resourceSummary"]["allocatableModelings"] = [
                {"grade": 2, "count": draw(st.integers(0, 3))}
            ]
    return made


REQUIREMENTS = st.fixed_dictionaries(
    {"key": st.sampled_from(["tier", "team", "none"])},
).flatmap(
    lambda base: st.one_of(
        st.fixed_dictionaries(
            {
                "operator": st.sampled_from(["In", "NotIn"]),
                "values": st.lists(VALUES, min_size=1, max_size=2),
            }
        ),
        st.fixed_dictionaries({"operator": st.sampled_from(["Exists", "DoesNotExist"])}),
    ).map(lambda rest: {**base, **rest})
)
FIELDS = st.fixed_dictionaries(
    {
        "key": st.sampled_from(["region", "provider", "zone", "cloud"]),
        "operator": st.sampled_from(["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]),
        "values": st.lists(st.sampled_from(["eu", "6", "z1", "z3"]), max_size=2),
    }
)
AFFINITIES = st.fixed_dictionaries(
    {},
    optional={
        "clusterNames": st.lists(NAMES, max_size=4),
        "exclude": st.lists(NAMES, max_size=2),
        "labelSelector": st.fixed_dictionaries(
            {"matchExpressions": st.lists(REQUIREMENTS, max_size=2)}
        ),
        "fieldSelector": st.fixed_dictionaries({"matchExpressions": st.lists(FIELDS, max_size=2)}),
    },
)


FLEETS = st.lists(clusters(), max_size=6, unique_by=lambda entry: entry["metadata"]["name"])


@given(FLEETS, AFFINITIES)
def test_columns_match_as_single_clusters_do(
    fleet: list[dict[str, Any]], affinity: dict[str, Any]
) -> None:
    compiled = compile_affinity(affinity)
    assert Topology(fleet).matching(compiled).tolist() == [
        compiled.matches(entry) for entry in fleet
    ]


@given(
    FLEETS,
    st.one_of(
        st.none(),
        st.fixed_dictionaries(
            {
                "resourceRequest": st.dictionaries(
                    st.sampled_from(["cpu", "memory", "pods"]),
                    st.sampled_from(["0", "100u", "250m", "1", "7"]),
                    max_size=2,
                )
            }
        ),
    ),
)
def test_columns_hold_what_single_clusters_take(
    fleet: list[dict[str, Any]], requirements: dict[str, Any] | None
) -> None:
    assert Fleet(fleet).capacities.replicas(requirements).tolist() == [
        max_replicas(read_room(entry), requirements) for entry in fleet
    ]


PLACEMENTS = st.fixed_dictionaries(
    {"replicaScheduling": st.sampled_from([DUPLICATED, DYNAMIC, AGGREGATED, WEIGHTED])},
    optional={
        "clusterAffinity": AFFINITIES,
        "clusterTolerations": st.just([{"key": "gpu", "operator": "Exists"}]),
        "spreadConstraints": st.sampled_from(
            [
                [{"spreadByField": "cluster", "minGroups": 1, "maxGroups": 2}],
                [{"spreadByField": "region", "minGroups": 1, "maxGroups": 1}],
            ]
        ),
    },
)
BINDINGS = st.lists(
    st.builds(
        lambda replicas, placement, clusters: binding(
            replicas, placement=placement, clusters=clusters
        ),
        st.integers(0, 9),
        PLACEMENTS,
        st.one_of(st.none(), st.dictionaries(NAMES, st.integers(0, 4), max_size=3)),
    ),
    min_size=1,
    max_size=3,
)
CHANGES = st.lists(st.one_of(clusters(), NAMES), max_size=8)


def answer(scheduler: Scheduler, item: dict[str, Any]) -> Any:
    try:
        return scheduler.schedule(item)
    except SchedulingError as error:
        return (type(error), error.message)


@given(BINDINGS, CHANGES, CHANGES)
def test_what_is_remembered_never_outlives_a_change(
    bindings: list[dict[str, Any]], before: list[Any], after: list[Any]
) -> None:
    fleet = Fleet()
    scheduler = Scheduler(fleet)
    for change in [*before, *after]:
        for item in bindings:
            answer(scheduler, item)
        if isinstance(change, str):
            fleet.remove(change)
        else:
            fleet.set(copy.deepcopy(change))
    fresh = Scheduler(Fleet(fleet.get(name) for name in fleet.names()))
    for item in bindings:
        assert answer(scheduler, item) == answer(fresh, item)


def test_a_new_resource_summary_costs_one_row_only() -> None:
    fleet = Fleet([cluster("a"), cluster("b", cpu="1")])
    topology = fleet.topology
    assert fleet.capacities.replicas({"resourceRequest": {"cpu": "1"}}).tolist() == [10, 1]
    newer = cluster("b", cpu="2")
    fleet.set(newer)
    assert fleet.topology is topology
    assert fleet.capacities.replicas({"resourceRequest": {"cpu": "1"}}).tolist() == [10, 2]
    assert topology.clusters[1] is newer


def test_new_labels_make_a_new_topology() -> None:
    fleet = Fleet([cluster("a")])
    topology = fleet.topology
    fleet.set(cluster("a", labels={"tier": "gold"}))
    assert fleet.topology is not topology


def test_a_cluster_changed_in_place_is_read_anew_when_it_is_given_again() -> None:
    entry = cluster("a")
    fleet = Fleet([entry])
    gold = compile_affinity({"labelSelector": {"matchLabels": {"tier": "gold"}}})
    assert not fleet.topology.matching(gold).any()
    entry["metadata"]["labels"] = {"tier": "gold"}
    fleet.set(entry)
    assert fleet.topology.matching(gold).all()


@pytest.mark.parametrize(
    ("broken", "path"),
    [
        pytest.param({"metadata": {}}, "metadata.name", id="no name"),
        pytest.param({"metadata": {"name": "b"}, "spec": {"zones": "z"}}, "spec.zones", id="zones"),
        pytest.param(
            {"metadata": {"name": "b", "labels": {"a": 1}}}, "metadata.labels.a", id="labels"
        ),
        pytest.param(
            {
                "metadata": {"name": "b"},
                "status": {"resourceSummary": {"allocatable": {"cpu": "many"}}},
            },
            "status.resourceSummary.allocatable.cpu",
            id="amount",
        ),
    ],
)
def test_a_cluster_that_cannot_be_read_is_refused_and_changes_nothing(
    broken: dict[str, Any], path: str
) -> None:
    fleet = Fleet([cluster("a")])
    with pytest.raises(InvalidObject) as caught:
        fleet.set(broken)
    assert caught.value.path == path
    assert fleet.names() == ["a"]


def test_a_lenient_fleet_takes_silence_for_consent() -> None:
    silent = {"metadata": {"name": "a"}}
    item = binding(4, DYNAMIC)
    with pytest.raises(SchedulingError, match="did not have the API resource"):
        Scheduler(Fleet([silent])).schedule(item)
    (target,) = Scheduler(Fleet([silent], lenient=True)).schedule(item)
    assert target == ("a", 4, ())


def test_amounts_beyond_64_bits_do_not_wrap() -> None:
    rich = cluster("a", cpu="9e18", pods="5000000000")
    takes = Fleet([rich]).capacities.replicas({"resourceRequest": {"cpu": "1m"}})
    assert takes.dtype == np.int64
    assert takes.tolist() == [5_000_000_000]
