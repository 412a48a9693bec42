"""v1 PersistentVolume."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.engines.native.core_persistentvolume import KIND

Obj = dict[str, Any]


def volume(spec: Any = None, **fields: Any) -> Obj:
    obj = {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v"}, **fields}
    return obj if spec is None else {**obj, "spec": spec}


@pytest.mark.parametrize(
    "claim", [{"name": "c", "unknown": [{}]}, {}, None], ids=["claim", "empty claim", "null"]
)
def test_the_claim_of_the_member_stays_whenever_it_is_present(ask: Any, claim: Any) -> None:
    desired, observed = volume({"claimRef": {"name": "old"}, "x": []}), volume({"claimRef": claim})
    assert ask(KIND.retain, desired, observed) == volume({"claimRef": claim, "x": []})


@pytest.mark.parametrize("spec", [None, {}, {"x": 1}])
def test_a_member_without_a_claim_leaves_the_template_alone(ask: Any, spec: Any) -> None:
    desired = volume({"claimRef": {"name": "mine"}})
    assert ask(KIND.retain, desired, volume(spec)) == desired


def test_the_claim_is_written_where_the_template_has_no_spec(ask: Any) -> None:
    claim = {"claimRef": {"name": "c"}}
    assert ask(KIND.retain, volume(), volume(claim)) == volume(claim)


@pytest.mark.parametrize(
    ("desired", "observed"),
    [(volume(), volume("x")), (volume([]), volume({"claimRef": {}}))],
    ids=["member", "template"],
)
def test_a_spec_of_a_wrong_type_is_an_error(refused: Any, desired: Obj, observed: Obj) -> None:
    assert refused(KIND.retain, desired, observed).path == "spec"


def member(*phases: Any) -> list[Obj]:
    return [{"clusterName": "a", "status": {"phase": phase}} for phase in phases]


@pytest.mark.parametrize(
    ("items", "want"),
    [
        pytest.param(None, {}, id="null items"),
        pytest.param([], {}, id="no items"),
        pytest.param(member("Released"), {"phase": "Released"}, id="one"),
        pytest.param(member("Released", "Bound"), {"phase": "Bound"}, id="bound before released"),
        pytest.param(member("Bound", "Available"), {"phase": "Available"}, id="available"),
        pytest.param(member("Available", "Pending"), {"phase": "Pending"}, id="pending"),
        pytest.param(member("Pending", "Failed"), {"phase": "Failed"}, id="failed first"),
        pytest.param([*member("Bound"), {}], {"phase": "Pending"}, id="no status is pending"),
        pytest.param(
            member("Bound", "Odd", ""), {"phase": "Bound"}, id="unknown ones do not count"
        ),
        pytest.param(member("Odd", None), {}, id="only unknown ones"),
    ],
)
def test_the_worst_phase_wins_and_everything_else_is_cleared(
    ask: Any, items: Any, want: Obj
) -> None:
    obj = volume({}, status={"phase": "Lost", "reason": "x"})
    assert ask(KIND.aggregate_status, obj, items) == volume({}, status=want)


def test_an_old_status_that_says_the_same_stays(ask: Any) -> None:
    for obj, items in ((volume(), None), (volume(status={"phase": "Bound"}), member("Bound"))):
        assert ask(KIND.aggregate_status, obj, items) == obj


@pytest.mark.parametrize(
    ("status", "items", "path"),
    [
        ([], [], "status"),
        ({"phase": 1}, [], "status.phase"),
        ({}, member("Bound", 5), "items[1].status.phase"),
        ({}, [{"status": "Bound"}], "items[0].status"),
    ],
)
def test_aggregation_of_wrong_types_is_an_error(
    refused: Any, status: Any, items: Any, path: str
) -> None:
    assert refused(KIND.aggregate_status, volume(status=status), items).path == path
