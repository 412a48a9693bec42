"""What the native tier answers for every kind, and the list of kinds that have more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from interpreter.api.operation import Operation
from interpreter.engines.native import any_kind
from interpreter.engines.native.table import ANY, KINDS, handlers

Obj = dict[str, Any]


def tab(**fields: Any) -> Obj:
    return {"apiVersion": "stable.example.com/v1", "kind": "CronTab", **fields}


# --- Collection ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("obj", "want"),
    [
        (tab(), None),
        (tab(status=None), None),
        (tab(status={}), {}),
        (tab(status={"a": [None, {}], "b": 2.0}), {"a": [None, {}], "b": 2.0}),
    ],
)
def test_the_whole_status_is_collected(ask: Any, obj: Obj, want: Any) -> None:
    assert ask(any_kind.reflect_status, obj) == want


@pytest.mark.parametrize("status", ["Ready", [], 0, False, 1.5])
def test_a_status_that_is_no_object_is_an_error(refused: Any, status: Any) -> None:
    error = refused(any_kind.reflect_status, tab(status=status))
    assert (error.path, error.value) == ("status", status)


# --- Pruning -------------------------------------------------------------------------------------

WRITTEN_BY_THE_SERVER: Obj = {
    "creationTimestamp": "2026-01-01T00:00:00Z",
    "deletionTimestamp": None,
    "deletionGracePeriodSeconds": 30,
    "generation": 4,
    "managedFields": [{}],
    "resourceVersion": "77",
    "selfLink": "/x",
    "uid": "u",
    "ownerReferences": [],
    "finalizers": ["f"],
}
prune = any_kind.pruner({})


def test_pruning_drops_the_status_and_what_a_server_wrote(ask: Any) -> None:
    kept = {"name": "t", "labels": {"a": "b"}, "annotations": {}, "generateName": "t-", "x": [{}]}
    rest = {"spec": {"status": {"generation": 1}, "list": [{}, None]}, "data": None, "uid": "mine"}
    obj = tab(metadata={**kept, **WRITTEN_BY_THE_SERVER}, status={"a": 1}, **rest)
    assert ask(prune, obj, False) == tab(metadata=kept, **rest)


@pytest.mark.parametrize("metadata", [None, {}, [], "x", 5])
def test_pruning_keeps_odd_metadata(ask: Any, metadata: Any) -> None:
    assert ask(prune, tab(metadata=metadata), False) == tab(metadata=metadata)


def test_pruning_keeps_the_order_of_fields(ask: Any) -> None:
    obj = {"z": 1, "metadata": {"name": "n", "uid": "u", "a": 1}, "kind": "X", "status": 1, "a": {}}
    assert repr(ask(prune, obj, False)) == repr(
        {"z": 1, "metadata": {"name": "n", "a": 1}, "kind": "X", "a": {}}
    )


def test_a_rule_of_a_kind_edits_the_pruned_copy_whatever_the_group(ask: Any) -> None:
    seen = []

    def rule(obj: Obj, remove_job_ttl: bool) -> None:
        seen.append((dict(obj), remove_job_ttl))
        obj["spec"]["inner"]["edited"] = True

    obj = tab(status={}, spec={"inner": {}})
    pruned = ask(any_kind.pruner({"CronTab": rule, "Other": rule}), obj, True)
    assert pruned == tab(spec={"inner": {"edited": True}})
    ((first, ttl),) = seen
    assert ("status" in first, ttl) == (False, True)


def test_pruning_an_object_without_a_kind_is_plain_pruning(ask: Any) -> None:
    assert ask(prune, {"status": 1, "a": 2}, False) == {"a": 2}


RULED: dict[str, tuple[Obj, Obj]] = {
    "Deployment": (
        {"metadata": {"annotations": {"deployment.kubernetes.io/revision": "1"}}},
        {"metadata": {"annotations": {}}},
    ),
    "Job": (
        {"spec": {"selector": {"matchLabels": {"controller-uid": "u"}}}},
        {"spec": {"selector": {"matchLabels": {}}}},
    ),
    "Secret": (
        {"type": "kubernetes.io/service-account-token", "data": {"a": "b"}},
        {"type": "kubernetes.io/service-account-token", "data": None},
    ),
    "ServiceAccount": (
        {"metadata": {"name": "n"}, "secrets": [{"name": "n-token-1"}]},
        {"metadata": {"name": "n"}, "secrets": []},
    ),
    "Service": ({"spec": {"clusterIP": "10.0.0.1"}}, {"spec": {}}),
    "PersistentVolumeClaim": (
        {"metadata": {"annotations": {"volume.kubernetes.io/selected-node": "n"}}},
        {"metadata": {"annotations": {}}},
    ),
}


@pytest.mark.parametrize("kind", RULED)
@pytest.mark.parametrize("api_version", ["v1", "apps/v1", "foreign.example.com/v1"])
def test_rules_of_native_kinds_hold_for_foreign_kinds_of_that_name(
    ask: Any, kind: str, api_version: str
) -> None:
    given, want = RULED[kind]
    head = {"apiVersion": api_version, "kind": kind}
    handler: Callable[..., Any] = handlers()[ANY, Operation.PRUNE]
    assert ask(handler, {**head, **given, "status": {}}, False) == {**head, **want}


# --- The table -----------------------------------------------------------------------------------


def test_each_kind_is_listed_once_and_six_have_a_rule_for_pruning() -> None:
    kinds = [str(kind.gvk) for kind in KINDS]
    assert len(kinds) == len(set(kinds)) == 16
    assert {kind.gvk.kind for kind in KINDS if kind.prune_rule is not None} == set(RULED)


@pytest.mark.parametrize(
    ("operation", "want"),
    [
        (Operation.GET_REPLICAS, "Deployment Job Pod ReplicaSet StatefulSet"),
        (Operation.GET_COMPONENTS, "Deployment Job Pod ReplicaSet StatefulSet"),
        (Operation.REVISE_REPLICA, "Deployment Job ReplicaSet StatefulSet"),
        (
            Operation.RETAIN,
            (
                "Deployment Job PersistentVolume PersistentVolumeClaim Pod Secret Service "
                "ServiceAccount"
            ),
        ),
        (
            Operation.AGGREGATE_STATUS,
            (
                "CronJob DaemonSet Deployment HorizontalPodAutoscaler Ingress Job PersistentVolume "
                "PersistentVolumeClaim Pod PodDisruptionBudget ReplicaSet Service StatefulSet"
            ),
        ),
        (
            Operation.REFLECT_STATUS,
            (
                "* DaemonSet Deployment HorizontalPodAutoscaler Job PodDisruptionBudget ReplicaSet "
                "Service StatefulSet"
            ),
        ),
        (
            Operation.INTERPRET_HEALTH,
            (
                "DaemonSet Deployment Ingress PersistentVolumeClaim Pod PodDisruptionBudget "
                "ReplicaSet Service StatefulSet"
            ),
        ),
        (
            Operation.GET_DEPENDENCIES,
            "CronJob DaemonSet Deployment Ingress Job Pod ReplicaSet ServiceImport StatefulSet",
        ),
        (Operation.PRUNE, "*"),
    ],
)
def test_the_native_tier_answers_for_these_kinds(operation: Operation, want: str) -> None:
    found = sorted(gvk.kind for gvk, answered in handlers() if answered is operation)
    assert found == want.split()
