"""What changes in member clusters from one plan to another."""

from __future__ import annotations

from typing import Any

import pytest
from plan_samples import (
    AGGREGATED,
    DYNAMIC,
    INTERPRETER,
    cluster,
    config_map,
    deployment,
    manifests,
    only,
    planned,
    policy,
    replicas,
)

from interpreter.planning import (
    Difference,
    Plan,
    compare,
    continue_from,
    make_plan,
    read_inputs,
)

FLEET = (cluster("m1"), cluster("m2"))


def plan(*objects: dict[str, Any], on: tuple[str, ...] = ("m1",), **options: Any) -> Plan:
    placement = {"clusterAffinity": {"clusterNames": list(on)}}
    chosen = policy("p", selector={}, placement=placement, propagateDeps=True)
    return planned(*FLEET, *objects, chosen, **options)


def told(found: tuple[Difference, ...]) -> list[tuple[str, str, str, int | None, int | None]]:
    return [(each.cluster, each.object, each.kind, each.before, each.after) for each in found]


def test_equal_inputs_make_no_difference() -> None:
    assert compare(plan(deployment()), plan(deployment())) == ()


def test_what_moves_is_added_and_removed() -> None:
    found = compare(plan(deployment()), plan(deployment(), on=("m2",)))

    assert told(found) == [
        ("m1", "Deployment shop/web", "removed", 3, None),
        ("m2", "Deployment shop/web", "added", None, 3),
    ]
    assert found[0].lines()[:2] == ["--- old/m1/Deployment/shop/web", "+++ /dev/null"]
    assert found[1].lines()[:2] == ["--- /dev/null", "+++ new/m2/Deployment/shop/web"]
    assert found[1].lines()[3] == "+apiVersion: apps/v1"


def test_a_change_is_a_unified_diff() -> None:
    (found,) = compare(plan(deployment()), plan(deployment(replicas=5)))

    assert (found.kind, found.before, found.after) == ("changed", 3, 5)
    assert [line for line in found.lines()[2:] if line[0] in "+-"] == [
        "-  replicas: 3",
        "+  replicas: 5",
    ]


def test_the_order_of_keys_is_no_change() -> None:
    other = deployment()
    other["spec"] = dict(reversed(other["spec"].items()))

    assert compare(plan(deployment()), plan(other)) == ()


def test_dependencies_count_too() -> None:
    found = compare(plan(deployment()), plan(deployment(needs="settings"), config_map("settings")))

    assert told(found) == [
        ("m1", "Deployment shop/web", "changed", 3, 3),
        ("m1", "ConfigMap shop/settings", "added", None, None),
    ]


def test_what_fails_removes_nothing() -> None:
    divided = policy("p", selector={}, placement={"replicaScheduling": AGGREGATED})
    before = planned(*FLEET, deployment("big"), deployment("web"), divided)
    after = planned(*FLEET, deployment("big", replicas=1000), divided)

    found = compare(before, after)

    assert [(each.object, each.kind) for each in found] == [("Deployment shop/web", "removed")]


def test_what_travels_with_an_object_that_fails_is_not_removed() -> None:
    divided = policy(placement={"replicaScheduling": AGGREGATED}, propagateDeps=True)
    before = planned(*FLEET, deployment(needs="settings"), config_map(), divided)
    after = planned(*FLEET, deployment(needs="settings", replicas=1000), config_map(), divided)

    assert after.all_errors
    assert told(compare(before, after)) == []
    assert told(compare(after, before)) == []


@pytest.mark.parametrize(
    "wrong",
    [
        [*FLEET, deployment(), policy(placement=[])],
        [*FLEET, {**deployment(), "metadata": {**deployment()["metadata"], "labels": 1}}, policy()],
        [{**FLEET[0], "spec": {"taints": 3}}, FLEET[1], deployment(), policy()],
    ],
    ids=["policy", "template", "cluster"],
)
def test_what_is_refused_among_the_inputs_removes_nothing(wrong: list[dict[str, Any]]) -> None:
    before, after = planned(*FLEET, deployment(), policy()), planned(*wrong)

    assert after.all_errors
    assert told(compare(before, after)) == []


def test_a_plan_that_continues_from_another_keeps_its_schedule() -> None:
    divided = policy(placement={"replicaScheduling": DYNAMIC})
    tainted = cluster("m2", taints=[{"key": "x", "effect": "NoSchedule"}])
    before = planned(FLEET[0], tainted, deployment(replicas=4), divided)

    def after(count: int) -> Plan:
        inputs = read_inputs(manifests(*FLEET, deployment(replicas=count), divided))
        continue_from(before, inputs)
        return make_plan(inputs, interpreter=INTERPRETER)

    # A taint that goes moves nothing; what is added may go anywhere.
    assert told(compare(before, after(4))) == []
    assert replicas(only(before)) == {"m1": 4}
    grown = replicas(only(after(10)))
    assert (grown["m1"] or 0) >= 4
    assert (grown["m2"] or 0) > 0
    assert sum(count or 0 for count in grown.values()) == 10
