"""Leaving clusters: eviction tasks, application failover, taints, taint policies."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from propagation_samples import NATIVE, binding, config_map, deployment
from works_samples import cluster, scheduled_on

from interpreter.errors import ConfigurationError, InvalidObject
from interpreter.machinery.timestamps import format_time
from interpreter.propagation.eviction import GracefulEviction, assess_tasks, evict
from interpreter.propagation.eviction_taints import TaintEviction, assess_taints, sweep_delay
from interpreter.propagation.failover import ApplicationFailover, assess_application
from interpreter.propagation.failover_state import preserved_label_state
from interpreter.propagation.taints import tainted

NOW = datetime(2024, 5, 1, 8, tzinfo=UTC)
WEB = deployment("web")


def ago(seconds: int) -> str:
    return format_time(NOW - timedelta(seconds=seconds))


def item(name: str, health: str = "Healthy", status: Any = None) -> dict[str, Any]:
    return {"clusterName": name, "health": health, **({"status": status} if status else {})}


def web_binding(items: list[dict[str, Any]], **spec: Any) -> dict[str, Any]:
    spec = {"clusters": scheduled_on(a=2, b=3), "propagateDeps": True, **spec}
    of = binding("web-deployment", WEB, **spec)
    of["metadata"]["generation"] = 5
    of["status"] = {"aggregatedStatus": items, "schedulerObservedGeneration": 5}
    return of


# --- Eviction tasks ------------------------------------------------------------------------------


def assessed(*tasks: dict[str, Any], health: str = "Unhealthy", **changes: Any) -> GracefulEviction:
    tasks = tuple({"fromCluster": f"old{place}", **task} for place, task in enumerate(tasks))
    of = web_binding([item("a"), item("b", health)], gracefulEvictionTasks=list(tasks))
    of["metadata"].update(changes)
    before = copy.deepcopy(of)
    result = assess_tasks(of, now=NOW, default_timeout=60)
    assert of == before
    return result


@pytest.mark.parametrize(
    ("task", "evicted", "recheck"),
    [
        pytest.param({"creationTimestamp": ago(30)}, False, 30, id="in its grace period"),
        pytest.param({"creationTimestamp": ago(60)}, False, 0, id="at its end"),
        pytest.param({"creationTimestamp": ago(61)}, True, 0, id="behind it"),
        pytest.param(
            {"creationTimestamp": ago(61), "gracePeriodSeconds": 90}, False, 29, id="its own period"
        ),
        pytest.param(
            {"creationTimestamp": ago(0), "suppressDeletion": False}, True, 0, id="confirmed"
        ),
        pytest.param(
            {"creationTimestamp": ago(999), "suppressDeletion": True}, False, 0, id="kept for ever"
        ),
        pytest.param({}, False, 60, id="starts now"),
        pytest.param({"suppressDeletion": False}, False, 0, id="starts now whatever it says"),
        pytest.param({"creationTimestamp": ago(61), "purgeMode": "Never"}, True, 0, id="any mode"),
    ],
)
def test_a_task_ends_when_its_time_is_up(task: dict[str, Any], evicted: bool, recheck: int) -> None:
    result = assessed(task)
    assert result.evicted == (("old0",) if evicted else ())
    assert len(result.tasks) == (0 if evicted else 1)
    assert result.recheck_after == recheck


def test_a_new_task_gets_the_time_at_which_it_starts() -> None:
    assert assessed({}).tasks == ({"fromCluster": "old0", "creationTimestamp": ago(0)},)


def test_a_task_ends_when_the_object_runs_everywhere_else() -> None:
    assert assessed({"creationTimestamp": ago(1)}, health="Healthy").evicted == ("old0",)
    assert assessed({"creationTimestamp": ago(1)}, health="Unknown").evicted == ()
    late = assessed({"creationTimestamp": ago(1)}, health="Healthy", generation=6)
    assert late.evicted == ()


def test_the_next_look_is_at_the_first_end() -> None:
    result = assessed({"creationTimestamp": ago(10)}, {"creationTimestamp": ago(50)}, {})
    assert result.recheck_after == 10


def test_a_binding_that_is_being_deleted_keeps_its_tasks() -> None:
    result = assessed({"creationTimestamp": ago(999)}, deletionTimestamp=ago(1))
    assert (len(result.tasks), result.evicted) == (1, ())


def test_leaving_a_cluster_twice_makes_one_task() -> None:
    spec = {"clusters": scheduled_on(a=2, b=0)}
    once = evict(spec, "a", purge_mode="Directly", producer="p", reason="R", details={})
    assert once["clusters"] == scheduled_on(b=0)
    (task,) = once["gracefulEvictionTasks"]
    assert task["replicas"] == 2
    assert evict(once, "a", purge_mode="", producer="p", reason="R", details={}) is once
    again = {**once, "clusters": scheduled_on(a=1)}
    twice = evict(again, "a", purge_mode="", producer="p", reason="R", details={})
    assert twice["gracefulEvictionTasks"] == [task]
    other = evict(once, "b", purge_mode="", producer="p", reason="R", details={})
    assert "replicas" not in other["gracefulEvictionTasks"][1]
    assert "purgeMode" not in other["gracefulEvictionTasks"][1]


# --- Application failover ------------------------------------------------------------------------

UNHEALTHY = [item("a", "Unhealthy", {"step": 7}), item("b")]


def failed_over(
    since: Mapping[str, datetime] | None = None,
    items: list[dict[str, Any]] | None = None,
    gates: dict[str, bool] | None = None,
    behavior: dict[str, Any] | None = None,
    **spec: Any,
) -> ApplicationFailover:
    behavior = {
        "decisionConditions": {"tolerationSeconds": 30},
        "purgeMode": "Directly",
        **(behavior or {}),
    }
    spec = {"failover": {"application": behavior}, **spec}
    of = web_binding(UNHEALTHY if items is None else items, **spec)
    before = copy.deepcopy(of)
    result = assess_application(of, since or {}, now=NOW, interpreter=NATIVE, gates=gates)
    assert of == before
    return result


def earlier(seconds: int) -> datetime:
    return NOW - timedelta(seconds=seconds)


def test_the_clock_starts_when_a_cluster_is_first_seen_unhealthy() -> None:
    result = failed_over()
    assert (result.evicted, dict(result.unhealthy_since), result.recheck_after) == (
        (), {"a": NOW}, 30,
    )  # fmt: skip


@pytest.mark.parametrize(("seconds", "leaves"), [(29, False), (30, False), (31, True)])
def test_a_cluster_is_left_when_the_toleration_is_over(seconds: int, leaves: bool) -> None:
    result = failed_over({"a": earlier(seconds)})
    assert result.evicted == (("a",) if leaves else ())
    assert result.spec["clusters"] == (scheduled_on(b=3) if leaves else scheduled_on(a=2, b=3))
    assert ("a" in result.unhealthy_since) is not leaves


def test_the_task_says_who_wanted_it_and_why() -> None:
    (task,) = failed_over({"a": earlier(31)}).spec["gracefulEvictionTasks"]
    assert task == {
        "fromCluster": "a",
        "purgeMode": "Directly",
        "producer": "resource-binding-application-failover-controller",
        "reason": "ApplicationFailure",
        "replicas": 2,
    }


@pytest.mark.parametrize(
    ("behavior", "more"),
    [
        ({"purgeMode": "Never"}, {"purgeMode": "Never", "suppressDeletion": True}),
        (
            {"purgeMode": "Gracefully", "gracePeriodSeconds": 9},
            {"purgeMode": "Gracefully", "gracePeriodSeconds": 9},
        ),
        ({"purgeMode": "Directly", "gracePeriodSeconds": 9}, {"purgeMode": "Directly"}),
        ({"purgeMode": "Immediately"}, {"purgeMode": "Directly"}),
    ],
)
def test_the_purge_mode_decides_what_becomes_of_the_old_copy(
    behavior: dict[str, Any], more: dict[str, Any]
) -> None:
    (task,) = failed_over({"a": earlier(31)}, behavior=behavior).spec["gracefulEvictionTasks"]
    assert {key: task[key] for key in task if key in ("purgeMode", "suppressDeletion", "gracePeriodSeconds")} == more  # fmt: skip # noqa: E501


@pytest.mark.parametrize(
    ("health", "kept"),
    [("Healthy", False), ("Unknown", False), ("", True), ("Unhealthy", True)],
)
def test_healthy_and_unknown_reset_the_clock(health: str, kept: bool) -> None:
    result = failed_over({"a": earlier(5)}, [item("a", health), item("b")])
    assert ("a" in result.unhealthy_since) is kept


@pytest.mark.parametrize(
    "spec",
    [{"propagateDeps": False}, {"failover": {}}],
    ids=["no dependencies", "no behavior"],
)
def test_who_does_not_ask_for_failover_is_forgotten(spec: dict[str, Any]) -> None:
    result = failed_over({"a": earlier(99)}, **spec)
    assert (result.evicted, dict(result.unhealthy_since)) == ((), {})


def test_without_statuses_nothing_is_remembered() -> None:
    assert dict(failed_over({"a": earlier(99)}, []).unhealthy_since) == {}


def test_clusters_with_a_task_are_passed_over_and_strangers_make_none() -> None:
    tasks = [{"fromCluster": "a"}]
    result = failed_over({"a": earlier(99)}, gracefulEvictionTasks=tasks)
    assert result.spec["gracefulEvictionTasks"] == tasks
    result = failed_over({"z": earlier(99)}, [item("z", "Unhealthy")])
    assert "gracefulEvictionTasks" not in result.spec


RULES = {"statePreservation": {"rules": [{"aliasLabelName": "at", "jsonPath": "{.step}"}]}}
STATEFUL = {"StatefulFailoverInjection": True}


def test_state_is_preserved_with_its_gate() -> None:
    result = failed_over({"a": earlier(31)}, gates=STATEFUL, behavior=RULES)
    (task,) = result.spec["gracefulEvictionTasks"]
    assert task["preservedLabelState"] == {"at": "7"}
    assert task["clustersBeforeFailover"] == ["a", "b"]
    (task,) = failed_over({"a": earlier(31)}, behavior=RULES).spec["gracefulEvictionTasks"]
    assert "preservedLabelState" not in task


def test_an_error_changes_nothing_and_forgets_nothing() -> None:
    items = [item("a", "Unhealthy"), item("b", "Unhealthy")]
    since = {"a": earlier(31)}
    result = failed_over(since, items, STATEFUL, RULES)
    assert isinstance(result.error, InvalidObject)
    assert result.spec["clusters"] == scheduled_on(a=2, b=3)
    assert dict(result.unhealthy_since) == {**since, "b": NOW}
    gates = {"GracefulEviction": False}
    result = failed_over(since, gates=gates, behavior={"purgeMode": "Gracefully"})
    assert isinstance(result.error, ConfigurationError)


@pytest.mark.parametrize("value", ["two words", "<a>", "x" * 64, "-4", [1, 2], {"a": 1}])
def test_what_no_label_can_hold_is_an_error_that_names_label_and_path(value: Any) -> None:
    rule = {"aliasLabelName": "app/step", "jsonPath": "{.x}"}
    with pytest.raises(InvalidObject, match=r"\{\.x\}: gives no value for the label app/step"):
        preserved_label_state([rule], {"x": value})


def test_the_later_of_two_rules_with_one_name_counts() -> None:
    rules = [{"aliasLabelName": "l", "jsonPath": path} for path in ("{.x}", "v{.x}")]
    assert preserved_label_state(rules, {"x": 10**6}) == {"l": "v1000000"}


# --- Taints --------------------------------------------------------------------------------------


def taint(key: str, *, effect: str = "NoExecute", since: int = 10, **more: Any) -> dict[str, Any]:
    return {"key": key, "effect": effect, "timeAdded": ago(since), **more}


def bearing(key: str, seconds: int | None = None) -> dict[str, Any]:
    toleration = {"key": key, "operator": "Exists"}
    return toleration if seconds is None else {**toleration, "tolerationSeconds": seconds}


def driven(
    taints: list[dict[str, Any]], tolerations: list[dict[str, Any]], **more: Any
) -> tuple[TaintEviction, int | None]:
    of = web_binding([item("a", status={"step": 7})], **more.pop("spec", {}))
    placement = json.dumps({"clusterTolerations": tolerations})
    of["metadata"]["annotations"] = {"policy.karmada.io/applied-placement": placement}
    east = cluster("a", taints=taints)
    before = copy.deepcopy((of, east))
    enabled = more.get("enabled", True)
    result = assess_taints(of, east, now=NOW, **more)
    delay = sweep_delay(of, east, now=NOW, enabled=enabled)
    assert (of, east) == before
    return result, delay


@pytest.mark.parametrize(
    ("taints", "tolerations", "leaves", "recheck", "delay"),
    [
        pytest.param([], [], False, 0, None, id="no taint"),
        pytest.param([taint("x", effect="NoSchedule")], [], False, 0, None, id="another effect"),
        pytest.param([taint("x")], [], True, 0, 0, id="not tolerated"),
        pytest.param([taint("x")], [bearing("x")], False, 0, None, id="tolerated for ever"),
        pytest.param([taint("x")], [bearing("x", 60)], False, 50, 50, id="tolerated for a while"),
        pytest.param([taint("x")], [bearing("x", 10)], True, 0, 0, id="time is up"),
        pytest.param(
            [taint("x"), taint("y")], [bearing("x", 60)], True, 0, 0, id="one is not tolerated"
        ),
        pytest.param(
            [taint("x"), taint("y", since=30)],
            [bearing("x", 60), bearing("y", 60)],
            False, 30, 30,
            id="the earliest end decides",
        ),
        pytest.param(
            [taint("x")], [bearing("x", 60), bearing("x", 20)], False, 50, 50, id="first that fits"
        ),
    ],
)  # fmt: skip
def test_taints_drive_out_what_does_not_tolerate_them(
    taints: list[dict[str, Any]],
    tolerations: list[dict[str, Any]],
    leaves: bool,
    recheck: int,
    delay: int | None,
) -> None:
    result, found = driven(taints, tolerations)
    assert (result.spec["clusters"] == scheduled_on(b=3)) is leaves
    assert (result.recheck_after, found) == (recheck, delay)


def test_evictions_by_taints_can_be_off() -> None:
    result, delay = driven([taint("x")], [], enabled=False)
    assert (result.spec["clusters"], delay) == (scheduled_on(a=2, b=3), None)


@pytest.mark.parametrize(
    ("behavior", "configured", "mode"),
    [
        (None, "", "Gracefully"),
        (None, "Directly", "Directly"),
        ({}, "Directly", "Gracefully"),
        ({"purgeMode": "Directly"}, "", "Directly"),
    ],
)
def test_the_bindings_purge_mode_comes_before_the_configured_one(
    behavior: dict[str, Any] | None, configured: str, mode: str
) -> None:
    failover = {} if behavior is None else {"failover": {"cluster": behavior}}
    result, _delay = driven([taint("x")], [], purge_mode=configured, spec=failover)
    assert result.spec["gracefulEvictionTasks"] == [
        {
            "fromCluster": "a",
            "purgeMode": mode,
            "producer": "TaintManager",
            "reason": "TaintUntolerated",
            "replicas": 2,
        }
    ]


def test_taints_preserve_state_too() -> None:
    spec = {"failover": {"cluster": RULES}}
    result, _delay = driven([taint("x")], [], gates=STATEFUL, spec=spec)
    assert result.spec["gracefulEvictionTasks"][0]["preservedLabelState"] == {"at": "7"}


@pytest.mark.parametrize("placement", [None, "{bad", "[]"])
def test_a_placement_that_cannot_be_read_is_an_error_and_due_at_once(
    placement: str | None,
) -> None:
    of = web_binding([])
    if placement is not None:
        of["metadata"]["annotations"] = {"policy.karmada.io/applied-placement": placement}
    east = cluster("a", taints=[taint("x")])
    with pytest.raises(InvalidObject, match=r"applied-placement"):
        assess_taints(of, east, now=NOW)
    assert sweep_delay(of, east, now=NOW) == 0
    of["spec"]["clusters"] = scheduled_on(b=3)
    assert assess_taints(of, east, now=NOW).spec == of["spec"]


# --- Cluster taint policies ----------------------------------------------------------------------


def taint_policy(name: str, created: int, **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, "creationTimestamp": ago(created)}
    return {"kind": "ClusterTaintPolicy", "metadata": metadata, "spec": spec}


def when(status: str, operator: str = "In", kind: str = "Ready") -> list[dict[str, Any]]:
    return [{"conditionType": kind, "operator": operator, "statusValues": [status]}]


SICK = {"key": "sick", "effect": "NoExecute"}


@pytest.mark.parametrize(
    ("conditions", "added"),
    [
        (when("False"), True),
        (when("True"), False),
        (when("True", "NotIn"), True),
        (when("False", "Like"), False),
        (when("False", kind="Absent"), False),
        (when("False", "NotIn", kind="Absent"), False),
        ([*when("False"), *when("True")], False),
        ([], False),
    ],
)
def test_a_taint_is_added_when_all_conditions_hold(
    conditions: list[dict[str, Any]], added: bool
) -> None:
    policy = taint_policy("p", 1, addOnConditions=conditions, taints=[SICK])
    found = tainted(cluster("a", ready="False"), [policy], now=NOW)
    assert found == ([{**SICK, "timeAdded": ago(0)}] if added else [])


def test_a_taint_that_is_there_stays_as_it_is() -> None:
    old = taint("sick", value="why")
    policy = taint_policy("p", 1, addOnConditions=when("False"), taints=[{**SICK, "value": "new"}])
    assert tainted(cluster("a", ready="False", taints=[old]), [policy], now=NOW) == [old]


def test_policies_run_by_age_each_on_what_the_last_one_left() -> None:
    adding = taint_policy("adding", 9, addOnConditions=when("False"), taints=[SICK])
    removing = taint_policy("removing", 5, removeOnConditions=when("False"), taints=[SICK])
    east = cluster("a", ready="False")
    assert tainted(east, [removing, adding], now=NOW) == []
    adding["metadata"]["creationTimestamp"] = ago(1)
    assert [each["key"] for each in tainted(east, [removing, adding], now=NOW)] == ["sick"]


def test_within_a_policy_adding_comes_before_removing() -> None:
    both = {"addOnConditions": when("False"), "removeOnConditions": when("False")}
    policy = taint_policy("p", 1, taints=[SICK], **both)
    assert tainted(cluster("a", ready="False"), [policy], now=NOW) == []


def test_a_policy_concerns_the_clusters_that_it_names() -> None:
    policy = taint_policy(
        "p", 1, addOnConditions=when("False"), taints=[SICK], targetClusters={"clusterNames": ["b"]}
    )
    assert tainted(cluster("a", ready="False"), [policy], now=NOW) == []


@given(st.lists(st.sampled_from(["x", "y"]), max_size=4), st.booleans())
def test_running_the_policies_twice_changes_nothing_more(keys: list[str], remove: bool) -> None:
    field = "removeOnConditions" if remove else "addOnConditions"
    policies = [
        taint_policy(f"p{place}", place, taints=[{"key": key, "effect": "NoSchedule"}],
                     **{field: when("False")})
        for place, key in enumerate(keys)
    ]  # fmt: skip
    east = cluster("a", ready="False", taints=[taint("x", effect="NoSchedule")])
    once = tainted(east, policies, now=NOW)
    east["spec"]["taints"] = once
    assert tainted(east, policies, now=NOW + timedelta(hours=1)) == once


def test_an_object_without_a_rule_for_health_is_not_failed_over() -> None:
    of = binding("cm-configmap", config_map(), propagateDeps=True)
    of["status"] = {"aggregatedStatus": UNHEALTHY}
    of["spec"]["failover"] = {"application": {"purgeMode": "Directly"}}
    assert assess_application(of, {}, now=NOW, interpreter=NATIVE) == ApplicationFailover(
        of["spec"]
    )
