"""Carrying out Works."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

import pytest
from propagation_samples import NATIVE, config_map, deployment
from works_samples import cluster, manifest, work

from interpreter.propagation.marking import by_key, key_of
from interpreter.propagation.work_reconcile import WorkReconciled, joined, reconcile_work

NOW = datetime(2024, 5, 1, 8, tzinfo=UTC)
OLD = "2024-04-01T00:00:00Z"
MANAGED = {"karmada.io/managed": "true"}
CM = manifest(config_map("cm", labels=MANAGED))


def reconciled(
    item: dict[str, Any], *observed: dict[str, Any], east: dict[str, Any] | None = None
) -> WorkReconciled:
    before = copy.deepcopy((item, observed))
    east = cluster("east") if east is None else east
    result = reconcile_work(
        item, cluster=east, observed=by_key(observed), now=NOW, interpreter=NATIVE
    )
    assert (item, observed) == before
    return result


def of_type(result: WorkReconciled, kind: str) -> dict[str, Any]:
    (found,) = [each for each in result.conditions if each["type"] == kind]
    return found


def verbs(result: WorkReconciled) -> list[str]:
    return [operation.verb for operation in result.operations]


def deleted(item: dict[str, Any], **spec: Any) -> dict[str, Any]:
    item = copy.deepcopy(item)
    item["metadata"]["deletionTimestamp"] = OLD
    item["spec"].update(spec)
    return item


def test_a_missing_object_is_created() -> None:
    result = reconciled(work(CM, "east"))
    assert verbs(result) == ["create"]
    assert result.operations[0].object == CM
    assert of_type(result, "Applied") == {
        "type": "Applied",
        "status": "True",
        "reason": "AppliedSuccessful",
        "message": "Manifest has been successfully applied",
        "lastTransitionTime": "2024-05-01T08:00:00Z",
    }
    assert of_type(result, "Dispatching")["reason"] == "Dispatching"


def test_an_object_is_updated_only_when_it_differs() -> None:
    other = {**CM, "data": {"a": "1"}}
    assert verbs(reconciled(work(CM, "east"), other)) == ["update"]
    assert verbs(reconciled(work(CM, "east"), CM)) == []


def test_a_suspended_work_stops_there() -> None:
    item = work(CM, "east")
    item["spec"]["suspendDispatching"] = True
    result = reconciled(item)
    assert (verbs(result), len(result.conditions)) == ([], 1)
    assert of_type(result, "Dispatching")["reason"] == "SuspendDispatching"


def test_a_cluster_that_is_not_ready_gets_nothing() -> None:
    for ready in ("False", "Unknown"):
        result = reconciled(work(CM, "east"), east=cluster("east", ready=ready))
        assert (verbs(result), joined(result.errors)) == ([], "cluster(east) not ready")
        assert result.errors[0].temporary


def test_a_cluster_that_does_not_exist_changes_nothing() -> None:
    result = reconcile_work(
        work(CM, "east"), cluster=None, observed={}, now=NOW, interpreter=NATIVE
    )
    assert (result.operations, result.conditions, len(result.errors)) == ((), (), 1)


def test_failures_are_counted_and_named_once() -> None:
    item = work(CM, "east")
    stranger = config_map("other")
    item["spec"]["workload"]["manifests"] = [stranger, CM, stranger]
    result = reconciled(item, {**stranger, "data": {}})
    assert verbs(result) == ["create"]
    applied = of_type(result, "Applied")
    assert applied["reason"] == "AppliedFailed"
    assert applied["message"].startswith(
        "Failed to apply all manifests (1/3): resource(kind=ConfigMap, prod/other) already exists"
    )
    assert len(result.errors) == 1


def test_times_move_only_with_the_status() -> None:
    conditions = [
        {"type": "Dispatching", "status": "True", "reason": "R", "message": "m",
         "lastTransitionTime": OLD},
        {"type": "Applied", "status": "True", "reason": "R", "message": "m",
         "lastTransitionTime": OLD},
    ]  # fmt: skip
    result = reconciled(work(CM, "east", conditions=conditions))
    assert of_type(result, "Dispatching") == conditions[0]
    applied = of_type(result, "Applied")
    assert (applied["reason"], applied["lastTransitionTime"]) == ("AppliedSuccessful", OLD)
    conditions[1]["status"] = "False"
    result = reconciled(work(CM, "east", conditions=conditions))
    assert of_type(result, "Applied")["lastTransitionTime"] == "2024-05-01T08:00:00Z"


def test_a_deleted_work_deletes_what_is_managed() -> None:
    item = deleted(work(CM, "east"))
    item["spec"]["workload"]["manifests"] = [CM, deployment(), config_map("absent")]
    result = reconciled(item, CM, deployment())
    assert [(each.verb, each.key) for each in result.operations] == [("delete", key_of(CM))]
    assert result.finalizers == ()


@pytest.mark.parametrize("leaving", [True, False])
def test_a_work_of_an_unreachable_cluster_goes_only_with_the_cluster(leaving: bool) -> None:
    metadata = {"deletionTimestamp": OLD} if leaving else {}
    east = cluster("east", ready="Unknown", metadata=metadata)
    result = reconciled(deleted(work(CM, "east")), CM, east=east)
    assert verbs(result) == []
    assert (result.finalizers == (), bool(result.errors)) == (leaving, not leaving)


def test_preserved_objects_lose_their_marks_whether_the_cluster_is_ready_or_not() -> None:
    item = deleted(work(CM, "east"), preserveResourcesOnDeletion=True)
    result = reconciled(item, CM, east=cluster("east", ready="False"))
    assert verbs(result) == ["update"]
    assert "labels" not in (result.operations[0].object or {})["metadata"]
    assert result.finalizers == ()
    absent = reconciled(item)
    assert (len(absent.errors), absent.finalizers) == (1, ("karmada.io/execution-controller",))
