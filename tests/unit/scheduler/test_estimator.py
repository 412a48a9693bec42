from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.scheduler.estimator import max_replicas, max_sets, read_room
from interpreter.scheduler.nodes import Nodes, capacity, place


def room(models: dict[int, int] | None = None, **amounts: Any) -> Any:
    summary: dict[str, Any] = {"allocatable": {"pods": "100", **amounts}}
    spec: dict[str, Any] = {}
    if models is not None:
        summary["allocatableModelings"] = [
            {"grade": cores, "count": count} for cores, count in models.items()
        ]
        spec["resourceModels"] = [
            {"grade": cores, "ranges": [{"name": "cpu", "min": str(cores)}]} for cores in models
        ]
    return read_room(
        {"metadata": {"name": "a"}, "spec": spec, "status": {"resourceSummary": summary}}
    )


def needs(**amounts: str) -> dict[str, Any]:
    return {"resourceRequest": amounts}


def component(replicas: int, **amounts: str) -> dict[str, Any]:
    return {"name": "part", "replicas": replicas, "replicaRequirements": needs(**amounts)}


@pytest.mark.parametrize(
    ("amounts", "request_", "fit"),
    [
        pytest.param({}, None, 100, id="nothing stated: pods"),
        pytest.param({"cpu": "4"}, {"cpu": "1500m"}, 2, id="cpu in milli-cores"),
        pytest.param({"memory": "10"}, {"memory": "2500m"}, 3, id="others in whole units"),
        pytest.param({"cpu": "4"}, {"memory": "1"}, 0, id="a resource it does not have"),
        pytest.param({"cpu": "4"}, {"memory": "0"}, 100, id="nothing of it"),
        pytest.param({"cpu": "-1"}, {"cpu": "1"}, 0, id="less than nothing left"),
        pytest.param({"memory": "8Gi"}, {"memory": "1G"}, 8, id="binary and decimal"),
    ],
)
def test_a_summary_bounds_replicas(
    amounts: dict[str, str], request_: dict[str, str] | None, fit: int
) -> None:
    wanted = None if request_ is None else needs(**request_)
    assert max_replicas(room(**amounts), wanted) == fit


def test_what_is_allocated_or_being_allocated_is_gone() -> None:
    status = {
        "resourceSummary": {
            "allocatable": {"cpu": "10", "pods": "10"},
            "allocated": {"cpu": "2", "pods": "1"},
            "allocating": {"cpu": "500m", "pods": "1"},
        }
    }
    left = read_room({"metadata": {"name": "a"}, "status": status})
    assert max_replicas(left, needs(cpu="1")) == 7
    assert max_replicas(left, None) == 8


def test_a_cluster_that_does_not_say_takes_nothing() -> None:
    silent = read_room({"metadata": {"name": "a"}})
    assert silent is None
    assert max_replicas(silent, None) == max_sets(silent, [component(1)]) == 0


def test_models_bound_replicas_node_by_node() -> None:
    # One node of 3 cores and two of 4: a replica of 2 cores leaves a core of the small one unused.
    assert max_replicas(room({3: 1, 4: 2}, cpu="100"), needs(cpu="2")) == 5
    assert max_replicas(room({3: 1, 4: 2}, cpu="1"), needs(cpu="2")) == 5
    assert max_replicas(room({3: 1}), needs(memory="1")) == 0
    assert max_replicas(room({3: 1}), needs(strange="1")) == 100


def test_workloads_on_their_way_come_first() -> None:
    assumed = [{"components": [component(2, cpu="1")]}]
    plain = room(cpu="4")
    assert max_replicas(plain, needs(cpu="1"), assumed) == 4
    assert max_replicas(plain, needs(cpu="1"), assumed, protect=True) == 2
    # On virtual nodes they are placed whatever the gate says.
    assert max_replicas(room({4: 1}, cpu="4"), needs(cpu="1"), assumed) == 2


@pytest.mark.parametrize(
    ("free", "asked", "sets"),
    [
        pytest.param("8Gi", "1G", 8, id="decimal of binary"),
        pytest.param("8G", "1Gi", 7, id="binary of decimal"),
        pytest.param("8Gi", "1Gi", 8, id="binary"),
        pytest.param("1", "100u", 100, id="as many as there are pods"),
    ],
)
def test_sets_are_compared_by_value_whatever_the_spelling(free: str, asked: str, sets: int) -> None:
    assert max_sets(room(memory=free), [component(1, memory=asked)]) == sets


def test_a_set_needs_all_its_parts() -> None:
    parts = [component(1, cpu="1"), component(3, cpu="2")]
    assert max_sets(room(cpu="20"), parts) == 2
    assert max_sets(room({4: 3}, cpu="20"), parts) == 1
    assert max_sets(room(cpu="20"), [component(60, cpu="0")]) == 1
    assert max_sets(room(), []) == 100


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 6), st.integers(0, 9)), max_size=4),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 12)), max_size=4),
)
def test_equal_nodes_at_once_are_nodes_one_by_one(
    groups: list[tuple[int, int, int]], workloads: list[tuple[int, int]]
) -> None:
    together = [Nodes(size, pods, {"cpu": cpu}) for size, pods, cpu in groups]
    single = [[pods, cpu] for size, pods, cpu in groups for _ in range(size)]
    for cpu, replicas in workloads:
        demand = {"cpu": cpu} if cpu else {}
        together, left = place(together, demand, replicas)
        for node in single:
            fit = node[0] if not cpu else min(node[0], node[1] // cpu)
            taken = min(fit, replicas)
            node[0] -= taken
            node[1] -= taken * cpu
            replicas -= taken
        assert left == replicas
    assert [
        node for group in together for node in [[group.pods, group.free["cpu"]]] * group.size
    ] == (single)
    assert capacity(together, {"cpu": 1}) == sum(min(node) for node in single)
