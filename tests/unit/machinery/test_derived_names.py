"""Names that the control plane derives: a wire format, so the values are pinned."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.errors import InvalidObject
from interpreter.machinery import derived_names as names


def test_the_hash_is_fnv_in_decimal_with_safe_characters() -> None:
    # FNV-1a of the empty text is its offset, 2166136261.
    assert names.short_hash("") == "".join(
        "bcdfghjklmnpqrstvwxz2456789"[ord(digit) % 27] for digit in "2166136261"
    )
    assert names.short_hash("a") == names.short_hash("a") != names.short_hash("b")


def test_a_binding_name_is_lower_case_and_without_colons() -> None:
    assert names.binding_name("ClusterRole", "system:View") == "system.view-clusterrole"


def test_objects_of_one_kind_and_name_in_two_groups_share_a_binding_name() -> None:
    assert names.binding_name("Job", "a") == names.binding_name("job", "A")


def test_a_work_name_tells_namespaces_and_kinds_apart() -> None:
    made = {
        names.work_name("Deployment", "web", "prod"),
        names.work_name("Deployment", "web", "dev"),
        names.work_name("Deployment", "web"),
        names.work_name("Service", "web", "prod"),
    }
    assert len(made) == 4
    assert all(name.startswith("web-") for name in made)


def test_a_work_name_is_blind_to_case() -> None:
    assert names.work_name("deployment", "WEB", "Prod") == names.work_name(
        "Deployment", "web", "prod"
    )


def test_a_reference_key_keeps_case() -> None:
    assert names.binding_reference_key("a", "B") != names.binding_reference_key("a", "b")
    label = names.depended_by_label("a", "b")
    assert label == names.DEPENDED_BY_PREFIX + names.binding_reference_key("a", "b")


def test_a_policy_name_hashes_namespace_and_kind_only() -> None:
    first = names.policy_name("ns", "One:a", "/v1, Kind=Secret")
    second = names.policy_name("ns", "two", "/v1, Kind=Secret")
    assert first.removeprefix("one.a-") == second.removeprefix("two-")


@given(st.text())
def test_an_execution_space_names_its_cluster(cluster: str) -> None:
    assert names.cluster_of_execution_space(names.execution_space(cluster)) == cluster


@pytest.mark.parametrize("namespace", ["", "default", "karmada-es", "x-karmada-es-a"])
def test_another_namespace_names_no_cluster(namespace: str) -> None:
    with pytest.raises(InvalidObject, match="no execution space"):
        names.cluster_of_execution_space(namespace)


@pytest.mark.parametrize(
    ("namespace", "reserved"),
    [
        ("karmada-system", True),
        ("karmada-cluster", True),
        ("karmada-es-m1", True),
        ("karmada-es", False),
        ("karmada-system-2", False),
        ("", False),
    ],
)
def test_the_control_plane_keeps_its_own_namespaces(namespace: str, reserved: bool) -> None:
    assert names.is_reserved_namespace(namespace) is reserved


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (names.service_account_name("m1"), "karmada-m1"),
        (names.role_name("karmada-m1"), "karmada-controller-manager:karmada-m1"),
        (names.impersonation_secret_name("m1"), "m1-impersonator"),
        (names.endpoint_slice_name("m1", "web-x"), "imported-m1-web-x"),
        (names.derived_service_name("web"), "derived-web"),
        (names.estimator_service_name("estimator", "m1"), "estimator-m1"),
        (names.estimator_deployment_name("m1"), "karmada-scheduler-estimator-m1"),
        (names.namespaced_key("", "a"), "a"),
        (names.namespaced_key("n", "a"), "n/a"),
    ],
    ids=lambda value: value,
)
def test_other_names_are_fixed(made: str, wanted: str) -> None:
    assert made == wanted
