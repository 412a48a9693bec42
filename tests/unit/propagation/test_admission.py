"""Defaults that admission writes."""

from __future__ import annotations

import copy
from typing import Any, Literal

import pytest
from propagation_samples import binding, deployment, policy

from interpreter.propagation.admission import admit_binding, admit_policy
from interpreter.propagation.claiming import CLUSTER, NAMESPACED

_Operation = Literal["CREATE", "UPDATE"]


def admit(
    given: dict[str, Any], operation: _Operation = "UPDATE", namespace: str = "prod"
) -> dict[str, Any]:
    before = copy.deepcopy(given)
    admitted = admit_policy(given, namespace=namespace, operation=operation, identifier="new-id")
    assert given == before
    again = admit_policy(admitted, namespace=namespace, operation=operation, identifier="new-id")
    assert again == admitted
    return admitted


def test_a_selector_gets_the_namespace_of_its_policy() -> None:
    selectors = [{"apiVersion": "v1", "kind": "Secret"}, {"kind": "X", "namespace": "dev"}]
    for kind in ("PropagationPolicy", "OverridePolicy"):
        given = {**policy(selectors=selectors), "kind": kind}
        stated = admit(given)["spec"]["resourceSelectors"]
        assert [each["namespace"] for each in stated] == ["prod", "dev"]


@pytest.mark.parametrize("kind", ["ClusterPropagationPolicy", "ClusterOverridePolicy"])
def test_selectors_of_cluster_policies_stay_open(kind: str) -> None:
    given = {**policy(namespace="", selectors=[{"kind": "Secret"}]), "kind": kind}
    assert admit(given)["spec"]["resourceSelectors"] == [{"kind": "Secret"}]


@pytest.mark.parametrize(("namespace", "scope"), [("prod", NAMESPACED), ("", CLUSTER)])
def test_a_new_policy_gets_an_identifier_of_its_own_and_a_finalizer(
    namespace: str, scope: Any
) -> None:
    copied = policy(namespace=namespace, identifier="from-another")
    created = admit(copied, "CREATE")
    assert created["metadata"]["labels"] == {scope.id_label: "new-id"}
    assert created["metadata"]["finalizers"] == [scope.finalizer]
    updated = admit(copied, "UPDATE")
    assert updated["metadata"] == copied["metadata"]


@pytest.mark.parametrize(
    ("placement", "admitted"),
    [
        ({"spreadConstraints": [{}]}, [{"spreadByField": "cluster", "minGroups": 1}]),
        (
            {"spreadConstraints": [{"spreadByLabel": "zone", "minGroups": 0, "maxGroups": 3}]},
            [{"spreadByLabel": "zone", "minGroups": 1, "maxGroups": 3}],
        ),
        (
            {"spreadConstraints": [{"spreadByField": "region", "minGroups": 2}]},
            [{"spreadByField": "region", "minGroups": 2}],
        ),
        ({"spreadConstraints": []}, []),
    ],
)
def test_a_spread_constraint_gets_a_field_and_a_minimum(
    placement: dict[str, Any], admitted: list[Any]
) -> None:
    assert admit(policy(placement=placement))["spec"]["placement"]["spreadConstraints"] == admitted


@pytest.mark.parametrize(
    ("given", "preference"),
    [
        ({"replicaSchedulingType": "Divided"}, "Weighted"),
        (
            {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Aggregated"},
            "Aggregated",
        ),
        ({"replicaSchedulingType": "Duplicated"}, None),
    ],
)
def test_divided_replicas_are_weighted_unless_stated(
    given: dict[str, Any], preference: str | None
) -> None:
    scheduling = admit(policy(placement={"replicaScheduling": given}))["spec"]["placement"]
    assert scheduling["replicaScheduling"].get("replicaDivisionPreference") == preference


@pytest.mark.parametrize(
    ("application", "grace"),
    [
        ({"purgeMode": "Gracefully"}, 600),
        ({"purgeMode": "Graciously"}, 600),
        ({"purgeMode": "Gracefully", "gracePeriodSeconds": 0}, 0),
        ({"purgeMode": "Directly"}, None),
        ({}, None),
    ],
)
def test_graceful_failover_gets_a_grace_period(
    application: dict[str, Any], grace: int | None
) -> None:
    failover = admit(policy(failover={"application": application, "cluster": {}}))["spec"][
        "failover"
    ]
    assert failover["application"].get("gracePeriodSeconds") == grace
    assert failover["cluster"] == {}


def test_selecting_an_imported_service_switches_dependencies_on() -> None:
    imported = {"apiVersion": "multicluster.x-k8s.io/v1alpha1", "kind": "ServiceImport"}
    assert admit(policy(selectors=[imported], propagateDeps=False))["spec"]["propagateDeps"] is True
    other = {"apiVersion": "example.com/v1", "kind": "ServiceImport"}
    assert "propagateDeps" not in admit(policy(selectors=[other]))["spec"]


def test_a_binding_gets_an_identifier_once() -> None:
    bare = binding("web-deployment", deployment())
    del bare["metadata"]["labels"]
    admitted = admit_binding(bare, identifier="one")
    assert admitted["metadata"]["labels"] == {"resourcebinding.karmada.io/permanent-id": "one"}
    assert admit_binding(admitted, identifier="two") is admitted
    wide = {**bare, "kind": "ClusterResourceBinding"}
    labels = admit_binding(wide, identifier="one")["metadata"]["labels"]
    assert labels == {"clusterresourcebinding.karmada.io/permanent-id": "one"}
