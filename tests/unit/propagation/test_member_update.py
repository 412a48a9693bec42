"""Updates of member objects."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from propagation_samples import NATIVE, deployment
from propagation_samples import config_map as whole_config_map
from works_samples import manifest

from interpreter.errors import Conflict, InvalidObject
from interpreter.propagation.member_update import (
    MemberUpdate,
    leave_member_object,
    merge_metadata,
    update_member_object,
)
from interpreter.propagation.works_packing import record_managed


def config_map(**metadata: Any) -> dict[str, Any]:
    return manifest(whole_config_map(**metadata))


MANAGED = {"karmada.io/managed": "true"}
LABELS, ANNOTATIONS = (
    f"resourcetemplate.karmada.io/managed-{each}" for each in ("labels", "annotations")
)


def updated(desired: dict[str, Any], observed: dict[str, Any]) -> MemberUpdate:
    before = copy.deepcopy((desired, observed))
    result = update_member_object(desired, observed, cluster="east", interpreter=NATIVE)
    assert (desired, observed) == before
    return result


def served(obj: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    """An object as a member's API server has it."""
    own = {"uid": "member", "resourceVersion": "7", "creationTimestamp": "2024-05-01T08:00:00Z"}
    return {**obj, "metadata": {**obj["metadata"], **own, **metadata}, "status": {"x": 1}}


def test_an_object_that_is_as_wanted_is_not_sent() -> None:
    desired = config_map(labels=MANAGED)
    assert not updated(desired, served(desired)).needed


def test_the_members_metadata_stays() -> None:
    desired = config_map(labels=MANAGED, finalizers=["mine"])
    owners = [{"kind": "X", "name": "x", "uid": "1"}]
    observed = served(desired, ownerReferences=owners, finalizers=[])
    metadata = updated(desired, observed).object["metadata"]
    assert metadata["resourceVersion"] == "7"
    assert metadata["ownerReferences"] == owners
    assert "finalizers" not in metadata
    assert "uid" not in metadata


def test_only_keys_that_the_control_plane_wrote_are_taken_away() -> None:
    desired = config_map(labels={**MANAGED, "both": "new"}, annotations={"a": "1"})
    observed = served(
        config_map(
            labels={**MANAGED, "both": "old", "ours": "1", "theirs": "1"},
            annotations={"b": "1", LABELS: "both,ours,karmada.io/managed", ANNOTATIONS: LABELS},
        )
    )
    metadata = merge_metadata(desired, observed)["metadata"]
    assert metadata["labels"] == {**MANAGED, "both": "new", "theirs": "1"}
    assert metadata["annotations"] == {"a": "1", "b": "1", ANNOTATIONS: LABELS}


def test_entries_of_a_list_are_not_trimmed() -> None:
    observed = served(config_map(labels={"a": "1"}, annotations={LABELS: "b, a"}))
    assert merge_metadata(config_map(), observed)["metadata"]["labels"] == {"a": "1"}


@pytest.mark.parametrize("mark", [None, "", "True", "false"])
def test_an_object_of_somebody_else_is_a_conflict(mark: str | None) -> None:
    observed = served(config_map(labels={"karmada.io/managed": mark} if mark is not None else {}))
    with pytest.raises(Conflict) as caught:
        updated(config_map(), observed)
    assert str(caught.value) == (
        "resource(kind=ConfigMap, prod/cm) already exists in the cluster east and the "
        "work.karmada.io/conflict-resolution strategy value is empty, "
        "Karmada will not manage this resource"
    )


def test_overwriting_takes_an_object_over() -> None:
    desired = config_map(
        labels=MANAGED, annotations={"work.karmada.io/conflict-resolution": "overwrite"}
    )
    assert updated(desired, served(config_map())).needed


def test_replicas_are_retained_on_demand() -> None:
    label = {"resourcetemplate.karmada.io/retain-replicas": "true"}
    desired, observed = deployment(labels={**MANAGED, **label}), served(deployment(labels=MANAGED))
    observed["spec"] = {**observed["spec"], "replicas": 9}
    result = updated(desired, observed)
    assert result.object["spec"]["replicas"] == 9
    del observed["spec"]["replicas"]
    with pytest.raises(InvalidObject):
        updated(desired, observed)


def service(**spec: Any) -> dict[str, Any]:
    metadata = {"name": "web", "namespace": "prod", "labels": MANAGED}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}


def service_account(**fields: Any) -> dict[str, Any]:
    metadata = {"name": "runner", "namespace": "prod", "labels": MANAGED}
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata, **fields}


def pod(**spec: Any) -> dict[str, Any]:
    containers = [{"name": "main", "image": "x"}]
    metadata = {"name": "web", "namespace": "prod", "labels": MANAGED}
    spec = {"containers": containers, **spec}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def token_secret(**fields: Any) -> dict[str, Any]:
    metadata = {"name": "token", "namespace": "prod", "labels": MANAGED}
    kind = "kubernetes.io/service-account-token"
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "type": kind, **fields}


@pytest.mark.parametrize(
    ("desired", "observed"),
    [
        pytest.param(
            service(ports=[{"port": 80}]),
            service(ports=[{"port": 80}], clusterIP="10.0.0.1", clusterIPs=["10.0.0.1"]),
            id="cluster IP",
        ),
        pytest.param(service_account(), service_account(), id="no secrets"),
        pytest.param(
            service_account(),
            service_account(secrets=[{"name": "runner-token-x"}]),
            id="generated secret",
        ),
        pytest.param(pod(), pod(nodeName="n1", serviceAccountName="default"), id="pod"),
        pytest.param(
            token_secret(data=None), token_secret(data={"token": "eA=="}), id="token secret"
        ),
    ],
)
def test_nothing_is_sent_where_retention_restores_what_pruning_removed(
    desired: dict[str, Any], observed: dict[str, Any]
) -> None:
    result = updated(desired, served(observed))
    assert not result.needed


_KEYS = st.sampled_from(["a", "b", "c", "karmada.io/managed"])
_LABELS = st.dictionaries(_KEYS, st.sampled_from(["true", "x"])).map(lambda own: {**own, **MANAGED})


@given(_LABELS, _LABELS, _LABELS)
def test_an_update_settles(
    first: dict[str, str], second: dict[str, str], member: dict[str, str]
) -> None:
    """Whatever was there: after an update the same manifest needs none, and the next one works."""
    observed = served(config_map(labels=member))
    for labels in (first, second):
        desired = record_managed(config_map(labels=labels))
        sent = updated(desired, observed).object
        kept = sent["metadata"]["labels"]
        assert kept.items() >= labels.items()
        assert kept.keys() <= labels.keys() | member.keys() | first.keys()
        observed = served(sent)
        assert not updated(desired, observed).needed
    assert observed["metadata"]["labels"].keys() == second.keys() | (member.keys() - first.keys())


def test_an_object_that_is_left_loses_all_marks() -> None:
    marks = {
        "karmada.io/managed": "true",
        "propagationpolicy.karmada.io/permanent-id": "p",
        "resourcebinding.karmada.io/permanent-id": "b",
        "work.karmada.io/permanent-id": "w",
    }
    notes = {"work.karmada.io/name": "w", "resourcetemplate.karmada.io/uid": "u", "own": "1"}
    desired = record_managed(config_map(labels={**marks, "app": "x"}, annotations=notes))
    observed = served(desired, labels={**desired["metadata"]["labels"], "member": "1"})
    result = leave_member_object(desired, observed, cluster="east", interpreter=NATIVE)
    assert result.needed
    assert result.object["metadata"]["labels"] == {"app": "x", "member": "1"}
    assert result.object["metadata"]["annotations"] == {"own": "1"}
