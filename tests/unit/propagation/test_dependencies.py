"""Dependencies and their attached bindings."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from propagation_samples import NATIVE, binding, config_map, deployment, policy, selector

from interpreter.errors import Conflict, InvalidObject, NotFound
from interpreter.machinery.derived_names import depended_by_label
from interpreter.propagation.dependencies import (
    DependenciesOutcome,
    Stock,
    concerns_binding,
    reconcile_dependencies,
    recorded_dependencies,
)
from interpreter.propagation.marking import ObjectKey, key_of
from interpreter.propagation.policies import Surroundings, reconcile_template

LABEL = depended_by_label("prod", "web-deployment")
CLUSTERS = [{"name": "m1", "replicas": 2}, {"name": "m2"}]
CONFLICT = "ConflictResolution conflicted (Overwrite vs Abort)"
PRESERVATION = "PreserveResourcesOnDeletion conflicted (true vs false)"
SNAPSHOT = {"namespace": "prod", "name": "web-deployment", "clusters": CLUSTERS}


def needing(*config_maps: str) -> dict[str, Any]:
    template = deployment()
    volumes = [{"name": name, "configMap": {"name": name}} for name in config_maps]
    template["spec"]["template"]["spec"]["volumes"] = volumes
    return template


def independent(name: str = "web-deployment", **spec: Any) -> dict[str, Any]:
    return binding(name, deployment(), **{"clusters": CLUSTERS, "propagateDeps": True, **spec})


def reconcile(
    of: dict[str, Any],
    template: dict[str, Any] | None,
    *bindings: dict[str, Any],
    objects: list[dict[str, Any]] | None = None,
) -> DependenciesOutcome:
    objects = [config_map("cm"), config_map("other")] if objects is None else objects
    before = copy.deepcopy((of, template, bindings, objects))
    stock = Stock(objects=objects, bindings=[of, *bindings])
    outcome = reconcile_dependencies(of, template, stock, interpreter=NATIVE)
    assert (of, template, bindings, objects) == before
    return outcome


def attached_in(outcome: DependenciesOutcome, name: str = "cm-configmap") -> dict[str, Any]:
    found = {key.name: each for key, each in outcome.bindings.items()}
    return found[name]


def test_a_dependency_gets_a_binding_without_placement_of_its_own() -> None:
    outcome = reconcile(independent(), needing("cm"))
    assert outcome.errors == []
    attached = attached_in(outcome)
    assert attached["metadata"]["labels"] == {LABEL: "id-web-deployment"}
    assert attached["metadata"]["finalizers"] == ["karmada.io/binding-controller"]
    assert attached["metadata"]["ownerReferences"][0]["uid"] == "uid-cm"
    assert attached["spec"] == {
        "resource": {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "namespace": "prod",
            "name": "cm",
            "uid": "uid-cm",
        },
        "requiredBy": [SNAPSHOT],
        "conflictResolution": "Abort",
        "preserveResourcesOnDeletion": False,
    }


def test_dependencies_are_recorded_also_when_the_object_is_absent() -> None:
    outcome = reconcile(independent(), needing("cm", "absent"))
    recorded = recorded_dependencies(attached_in(outcome, "web-deployment"))
    assert recorded is not None
    assert {each.name for each in recorded} == {"cm", "absent"}
    assert {each.name for each in outcome.bindings} == {"web-deployment", "cm-configmap"}
    finalizers = attached_in(outcome, "web-deployment")["metadata"]["finalizers"]
    assert finalizers == ["karmada.io/binding-dependencies-distributor"]


def test_doing_it_again_changes_nothing() -> None:
    first = reconcile(independent(), needing("cm"))
    again = reconcile(attached_in(first, "web-deployment"), needing("cm"), attached_in(first))
    assert again.bindings == {}
    assert again.events == []


def test_a_kind_without_dependency_rule_is_left_alone() -> None:
    assert reconcile(independent(), config_map()).bindings == {}
    assert reconcile(independent(), None).bindings == {}


def test_a_later_schedule_replaces_the_snapshot_in_its_place() -> None:
    first = attached_in(reconcile(independent(), needing("cm")))
    first["spec"]["requiredBy"].append({"namespace": "prod", "name": "two"})
    moved = independent(clusters=[{"name": "m9"}])
    outcome = reconcile(moved, needing("cm"), first, independent("two"))
    names = [each["name"] for each in attached_in(outcome)["spec"]["requiredBy"]]
    assert names == ["web-deployment", "two"]
    assert attached_in(outcome)["spec"]["requiredBy"][0]["clusters"] == [{"name": "m9"}]


_FAILED = {"conditions": [{"type": "Scheduled", "status": "False", "reason": "NoClusterFit"}]}
_DONE = {"conditions": [{"type": "Scheduled", "status": "True", "reason": "Success"}]}


@pytest.mark.parametrize(
    ("status", "tasks", "clusters"),
    [
        pytest.param(_FAILED, [], ["m1", "m2"], id="could not be scheduled"),
        pytest.param(_FAILED, ["Directly"], ["m2"], id="leaves a cluster directly"),
        pytest.param(
            _FAILED, ["Gracefully"], ["m1", "m2"], id="leaves a cluster in an orderly way"
        ),
        pytest.param(_DONE, [], [], id="is to be nowhere"),
        pytest.param({}, [], [], id="was not scheduled yet"),
    ],
)
def test_what_an_object_needs_stays_where_an_error_leaves_its_works(
    status: dict[str, Any], tasks: list[str], clusters: list[str]
) -> None:
    first = attached_in(reconcile(independent(), needing("cm")))
    evictions = [{"fromCluster": "m1", "purgeMode": mode} for mode in tasks]
    lost = {**independent(clusters=[], gracefulEvictionTasks=evictions), "status": status}

    changed = reconcile(lost, needing("cm"), first).bindings

    (snapshot,) = changed.get(key_of(first), first)["spec"]["requiredBy"]
    assert [each["name"] for each in snapshot.get("clusters", ())] == clusters


def test_what_a_policy_placed_keeps_what_the_policy_says() -> None:
    by = policy(selectors=[selector(config_map())], preserveResourcesOnDeletion=True)
    placed = reconcile_template(
        config_map("cm"), Surroundings(policies=[by]), interpreter=NATIVE, gates={}
    ).binding
    assert placed is not None
    outcome = reconcile(independent(conflictResolution="Overwrite"), needing("cm"), placed)
    spec = attached_in(outcome)["spec"]
    assert spec == {**placed["spec"], "requiredBy": [SNAPSHOT]}


@pytest.mark.parametrize(
    ("one", "two", "wanted", "event"),
    [
        ({}, {"conflictResolution": "Abort"}, ("Abort", False), None),
        (
            {"conflictResolution": "Overwrite"},
            {},
            ("Overwrite", False),
            f"{CONFLICT}.",
        ),
        (
            {"preserveResourcesOnDeletion": True},
            {"preserveResourcesOnDeletion": False},
            ("Abort", True),
            f"{PRESERVATION}.",
        ),
        (
            {"preserveResourcesOnDeletion": True, "conflictResolution": "Overwrite"},
            {},
            ("Overwrite", True),
            f"{CONFLICT}; {PRESERVATION}.",
        ),
    ],
)
def test_requirers_that_disagree_are_told_and_the_safer_wish_counts(
    one: Any, two: Any, wanted: Any, event: str | None
) -> None:
    attached = attached_in(reconcile(independent("two", **two), needing("cm")))
    outcome = reconcile(independent(**one), needing("cm"), attached, independent("two", **two))
    spec = attached_in(outcome)["spec"]
    assert (spec["conflictResolution"], spec["preserveResourcesOnDeletion"]) == wanted
    messages = [each.message for each in outcome.events]
    assert messages == ([] if event is None else [f"Dependency policy conflict detected: {event}"])
    assert {each.reason for each in outcome.events} <= {"DependencyPolicyConflict"}


def test_a_requirer_that_does_not_exist_is_an_error_and_others_are_attached() -> None:
    attached = attached_in(reconcile(independent("two"), needing("cm")))
    outcome = reconcile(independent(), needing("cm", "other"), attached)
    assert isinstance(outcome.errors[0], NotFound)
    assert "ResourceBinding two, which requires this object" in str(outcome.errors[0])
    assert {each.name for each in outcome.bindings} == {"web-deployment", "other-configmap"}


def test_a_binding_of_an_earlier_object_is_a_conflict() -> None:
    attached = attached_in(reconcile(independent(), needing("cm")))
    attached["metadata"]["ownerReferences"][0]["uid"] = "earlier"
    outcome = reconcile(independent(), needing("cm"), attached)
    assert isinstance(outcome.errors[0], Conflict)


@pytest.mark.parametrize(
    ("later", "template"),
    [
        pytest.param({}, needing(), id="not referred to any more"),
        pytest.param({"propagateDeps": False}, needing("cm"), id="switched off"),
    ],
)
def test_a_dependency_is_detached(later: Any, template: Any) -> None:
    first = reconcile(independent(), needing("cm"))
    of = attached_in(first, "web-deployment")
    of["spec"].update(later)
    attached = attached_in(reconcile(of, template, attached_in(first)))
    assert "labels" not in attached["metadata"]
    assert attached["spec"].keys() == {"resource"}


def test_the_deletion_of_the_independent_binding_detaches_and_frees_it() -> None:
    first = reconcile(independent(), needing("cm"))
    of = attached_in(first, "web-deployment")
    of["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    outcome = reconcile(of, needing("cm"), attached_in(first))
    assert attached_in(outcome)["spec"].keys() == {"resource"}
    left = attached_in(outcome, "web-deployment")
    assert "finalizers" not in left["metadata"]
    # What was recorded stays.
    assert recorded_dependencies(left) == recorded_dependencies(of)


def test_what_remains_decides_after_a_requirer_left() -> None:
    attached = attached_in(reconcile(independent(), needing("cm")))
    two = independent("two", conflictResolution="Overwrite")
    both = attached_in(reconcile(two, needing("cm"), attached, independent()))
    outcome = reconcile(independent(propagateDeps=False), needing("cm"), both, two)
    spec = attached_in(outcome)["spec"]
    assert [each["name"] for each in spec["requiredBy"]] == ["two"]
    assert spec["conflictResolution"] == "Overwrite"


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6))
def test_whoever_comes_and_goes_an_attached_binding_knows_who_is_left(turns: list[str]) -> None:
    """Requirers attach at their first turn, detach at their second, and so on."""
    stock = Stock(objects=[config_map("cm")], bindings=[independent(name) for name in "abcd"])
    inside: list[str] = []
    for name in turns:
        key = ObjectKey("work.karmada.io/v1alpha2", "ResourceBinding", "prod", name)
        template = needing() if name in inside else needing("cm")
        outcome = reconcile_dependencies(stock.bindings[key], template, stock, interpreter=NATIVE)
        assert outcome.errors == []
        stock.store(outcome.bindings.values())
        inside = [each for each in inside if each != name] + [name] * (name not in inside)
        attached = attached_in(DependenciesOutcome(bindings=stock.bindings))
        assert [each["name"] for each in attached["spec"].get("requiredBy", [])] == inside
        labels = attached["metadata"].get("labels", {})
        assert labels == {depended_by_label("prod", each): f"id-{each}" for each in inside}
        assert ("conflictResolution" in attached["spec"]) is bool(inside)


def recording(text: str) -> dict[str, Any]:
    of = independent()
    of["metadata"]["annotations"] = {"resourcebinding.karmada.io/dependencies": text}
    return of


BY_NAME = '{"apiVersion":"v1","kind":"ConfigMap","namespace":"prod","name":"cm"}'
BY_LABEL = (
    '{"apiVersion":"v1","kind":"ConfigMap","namespace":"prod",'
    '"labelSelector":{"matchLabels":{"app":"web"}}}'
)
BROKEN = BY_LABEL.replace("matchLabels", "matchExpressions").replace(
    '{"app":"web"}', '[{"key":"app","operator":"Like"}]'
)


@pytest.mark.parametrize(
    ("text", "name", "labels", "concerned"),
    [
        (f"[{BY_NAME}]", "cm", {}, True),
        (f"[{BY_NAME}]", "other", {}, False),
        (f"[{BY_LABEL}]", "other", {"app": "web"}, True),
        (f"[{BY_LABEL}]", "other", {"app": "db"}, False),
        (f"[{BROKEN},{BY_NAME}]", "cm", {}, True),
        ("[]", "cm", {}, False),
        ("null", "cm", {}, False),
    ],
)
def test_a_change_concerns_who_recorded_the_object(
    text: str, name: str, labels: dict[str, str], concerned: bool
) -> None:
    key = key_of(config_map(name))
    assert concerns_binding(key, labels, recording(text)) is concerned
    assert not concerns_binding(key_of(config_map(name, "dev")), labels, recording(text))


@pytest.mark.parametrize("text", ["", "{", "[1]", f"[{BROKEN}]"])
def test_a_record_that_cannot_be_read_is_an_error(text: str) -> None:
    with pytest.raises(InvalidObject):
        concerns_binding(key_of(config_map("other")), {}, recording(text))


def test_a_binding_without_identifier_attaches_nothing() -> None:
    of = independent()
    del of["metadata"]["labels"]
    with pytest.raises(InvalidObject, match="binding web-deployment has no identifier"):
        reconcile(of, needing("cm"))


def test_an_interpreter_that_fails_detaches_nothing() -> None:
    first = reconcile(independent(), needing("cm"))
    broken = needing("cm")
    broken["spec"]["template"]["spec"]["volumes"] = "none"
    of = attached_in(first, "web-deployment")
    outcome = reconcile(of, broken, attached_in(first))
    assert isinstance(outcome.errors[0], InvalidObject)
    assert outcome.bindings == {}
