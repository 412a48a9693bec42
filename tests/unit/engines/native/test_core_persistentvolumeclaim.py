"""v1 PersistentVolumeClaim."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.engines.native.core_persistentvolumeclaim import KIND

Obj = dict[str, Any]
SELECTED = "volume.kubernetes.io/selected-node"


def claim(spec: Any = None, **fields: Any) -> Obj:
    obj = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "unknown": {}, **fields}
    return obj if spec is None else {**obj, "spec": spec}


@pytest.mark.parametrize(
    ("desired", "observed", "want"),
    [
        pytest.param({"x": []}, {"volumeName": "v"}, {"x": [], "volumeName": "v"}, id="added"),
        pytest.param({"volumeName": "o"}, {"volumeName": "v"}, {"volumeName": "v"}, id="replaced"),
        pytest.param({"volumeName": "o"}, {"volumeName": ""}, {"volumeName": "o"}, id="empty"),
        pytest.param({"volumeName": "o"}, {}, {"volumeName": "o"}, id="absent"),
        pytest.param({}, None, {}, id="no spec at the member"),
        pytest.param(None, {"volumeName": "v"}, {"volumeName": "v"}, id="no spec in the template"),
    ],
)
def test_the_volume_of_the_member_stays(ask: Any, desired: Any, observed: Any, want: Obj) -> None:
    assert ask(KIND.retain, claim(desired), claim(observed)) == claim(want)


@pytest.mark.parametrize(
    ("desired", "observed", "path"),
    [
        (claim(), claim([]), "spec"),
        (claim(), claim({"volumeName": None}), "spec.volumeName"),
        (claim(), claim({"volumeName": 5}), "spec.volumeName"),
        (claim("x"), claim({"volumeName": "v"}), "spec"),
    ],
)
def test_retention_of_wrong_types_is_an_error(
    refused: Any, desired: Obj, observed: Obj, path: str
) -> None:
    assert refused(KIND.retain, desired, observed).path == path


def member(*phases: Any) -> list[Obj]:
    return [{"clusterName": "a", "status": {"phase": phase}} for phase in phases]


@pytest.mark.parametrize(
    ("items", "want"),
    [
        pytest.param(None, "Bound", id="null items"),
        pytest.param([], "Bound", id="no items"),
        pytest.param(member("Bound", "Bound"), "Bound", id="all bound"),
        pytest.param(member("Pending", "Bound"), "Pending", id="one pending"),
        pytest.param(member("Odd", "Pending", "Bound"), "Pending", id="the last that is not bound"),
        pytest.param(member("Lost", "Pending"), "Lost", id="lost wins"),
        pytest.param([{}, *member("Bound")], "Bound", id="no status does not count"),
        pytest.param(member("Pending", None), None, id="an empty phase counts"),
    ],
)
def test_phases_are_folded_and_everything_else_is_cleared(
    ask: Any, items: Any, want: str | None
) -> None:
    obj = claim(status={"phase": "Old", "capacity": {"storage": "1Gi"}})
    status = {"phase": want} if want else {}
    assert ask(KIND.aggregate_status, obj, items) == claim(status=status)


def test_a_claim_without_status_gets_one(ask: Any) -> None:
    assert ask(KIND.aggregate_status, claim(), []) == claim(status={"phase": "Bound"})


def test_an_old_status_that_says_the_same_stays(ask: Any) -> None:
    obj = claim(status={"phase": "Lost", "capacity": {}})
    assert ask(KIND.aggregate_status, obj, member("Lost")) == obj


@pytest.mark.parametrize(
    ("status", "items", "path"),
    [
        ("x", [], "status"),
        ({"phase": []}, [], "status.phase"),
        ({}, [*member("Bound"), {"status": {"phase": 1}}], "items[1].status.phase"),
    ],
)
def test_aggregation_of_wrong_types_is_an_error(
    refused: Any, status: Any, items: Any, path: str
) -> None:
    assert refused(KIND.aggregate_status, claim(status=status), items).path == path


WAITING = "waiting for a volume"


@pytest.mark.parametrize(
    ("status", "want"),
    [
        ({"phase": "Bound"}, ("Healthy", "Bound", "the claim is bound to a volume", True)),
        ({"phase": "Pending"}, ("Progressing", "Pending", WAITING, False)),
        ({"phase": ""}, ("Progressing", "Pending", WAITING, False)),
        ({}, ("Progressing", "Pending", WAITING, False)),
        (None, ("Progressing", "Pending", WAITING, False)),
        ({"phase": "Lost"}, ("Degraded", "Lost", "the claim has lost its volume", False)),
        ({"phase": "bound"}, ("Unknown", "bound", "the claim's phase is not known", False)),
    ],
)
def test_health_is_the_phase(ask: Any, status: Any, want: tuple[Any, ...]) -> None:
    health = ask(KIND.interpret_health, claim(status=status))
    assert (health.status, health.reason, health.message, health.healthy) == want


@pytest.mark.parametrize(("status", "path"), [([], "status"), ({"phase": 1}, "status.phase")])
def test_health_of_wrong_types_is_an_error(refused: Any, status: Any, path: str) -> None:
    assert refused(KIND.interpret_health, claim(status=status)).path == path


@pytest.mark.parametrize(
    ("annotations", "want"),
    [
        ({SELECTED: "n1", "mine": "x"}, {"mine": "x"}),
        ({SELECTED: "n1"}, {}),
        ({SELECTED: ""}, {SELECTED: ""}),
        ({"mine": "x"}, {"mine": "x"}),
        (None, None),
    ],
)
def test_pruning_drops_the_selected_node(annotations: Any, want: Any) -> None:
    obj = claim(metadata={"annotations": annotations})
    assert KIND.prune_rule is not None
    KIND.prune_rule(obj, False)
    assert obj == claim(metadata={"annotations": want})
