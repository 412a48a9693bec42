"""What given objects are for, and in which namespace they are."""

from __future__ import annotations

from typing import Any

import pytest
from plan_samples import cluster, config_map, deployment, manifests, override, policy

from interpreter.catalogue.scopes import bundled_scope
from interpreter.machinery.gvk import GVK
from interpreter.planning import read_inputs
from interpreter.planning.scopes import Scopes, built_in_scope

_PATCH = {"subPath": "/a", "operator": "remove"}


def crd(kind: str, scope: str) -> dict[str, Any]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.lower()}s.example.com"},
        "spec": {"group": "example.com", "scope": scope, "names": {"kind": kind}},
    }


def custom(kind: str, **metadata: Any) -> dict[str, Any]:
    metadata = {"name": "a", **metadata}
    return {"apiVersion": "example.com/v1", "kind": kind, "metadata": metadata}


def test_objects_are_sorted_by_role() -> None:
    customization = {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterCustomization",
        "metadata": {"name": "c"},
    }
    work = {
        "apiVersion": "work.karmada.io/v1alpha1",
        "kind": "Work",
        "metadata": {"name": "w", "namespace": "karmada-es-m1"},
    }
    binding = {
        "apiVersion": "work.karmada.io/v1alpha2",
        "kind": "ClusterResourceBinding",
        "metadata": {"name": "b"},
        "spec": {"resource": {"apiVersion": "v1", "kind": "Namespace", "name": "shop"}},
    }
    given = [
        deployment(),
        policy(),
        policy("all", namespace=""),
        override("o", {}),
        cluster("m1"),
        customization,
        work,
        binding,
        crd("Widget", "Cluster"),
    ]

    inputs = read_inputs(manifests(*given))

    assert not inputs.errors
    assert not inputs.notes
    assert {
        role: [each.obj["kind"] for each in getattr(inputs, role)]
        for role in (
            "templates", "policies", "overrides", "clusters", "customizations", "works", "bindings"
        )
    } == {
        "templates": ["Deployment", "CustomResourceDefinition"],
        "policies": ["PropagationPolicy", "ClusterPropagationPolicy"],
        "overrides": ["OverridePolicy"],
        "clusters": ["Cluster"],
        "customizations": ["ResourceInterpreterCustomization"],
        "works": ["Work"],
        "bindings": ["ClusterResourceBinding"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("obj", "namespace"),
    [
        ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}, "team"),
        ({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}, None),
        (custom("Widget"), None),
        (custom("Gadget"), "team"),
        (custom("Gadget", namespace="own"), "own"),
    ],
    ids=["built in", "built in, of clusters", "CRD of clusters", "CRD", "stated"],
)
def test_namespaced_objects_get_the_namespace_that_they_do_not_state(
    obj: dict[str, Any], namespace: str | None
) -> None:
    crds = crd("Widget", "Cluster"), crd("Gadget", "Namespaced")

    inputs = read_inputs(manifests(*crds, obj), namespace="team")

    assert inputs.templates[-1].obj["metadata"].get("namespace") == namespace
    assert not inputs.notes


def test_a_kind_of_the_catalogue_has_its_scope() -> None:
    sink = {"apiVersion": "ray.io/v1", "kind": "RayCluster", "metadata": {"name": "a"}}
    issuer = {
        "apiVersion": "cert-manager.io/v1",
        "kind": "ClusterIssuer",
        "metadata": {"name": "a"},
    }

    inputs = read_inputs(manifests(sink, issuer), scope=bundled_scope)

    assert [each.obj["metadata"].get("namespace") for each in inputs.templates] == ["default", None]
    assert not inputs.notes


def test_a_kind_that_nobody_knows_is_namespaced_and_noted() -> None:
    inputs = read_inputs(manifests(custom("Thing"), custom("Thing", name="b")))

    assert [each.obj["metadata"]["namespace"] for each in inputs.templates] == ["default"] * 2
    assert {str(note) for note in inputs.notes} == {
        "example.com/v1 Thing: unknown kind, taken for namespaced: no CRD given"
    }


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (
            policy(placement={"clusterAffinities": [{"affinityName": "a", "names": ["m1"]}]}),
            "PropagationPolicy shop/web: spec.placement.clusterAffinities[0].names",
        ),
        (
            override(
                "o", {"fieldOverrider": [{"fieldPath": "/a", "json": [{**_PATCH, "pth": 1}]}]}
            ),
            "OverridePolicy shop/o: spec.overrideRules[0].overriders.fieldOverrider[0].json[0].pth",
        ),
    ],
    ids=["placement", "override"],
)
def test_a_field_that_policies_do_not_have_is_noted(obj: dict[str, Any], path: str) -> None:
    inputs = read_inputs(manifests(obj))

    assert [str(note) for note in inputs.notes] == [
        f"{path}: no such field, a control plane drops it"
    ]
    assert not inputs.errors


def test_what_clusters_have_beyond_what_a_plan_reads_is_nothing_to_note() -> None:
    member = cluster("m1", apiEndpoint="https://m1.example.com")

    assert not read_inputs(manifests(member)).notes


def test_a_cluster_scoped_object_loses_its_namespace_with_a_note() -> None:
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "viewer", "namespace": "shop"},
    }

    inputs = read_inputs(manifests(role))

    assert inputs.templates[0].obj["metadata"] == {"name": "viewer"}
    assert role["metadata"] == {"name": "viewer", "namespace": "shop"}
    assert [str(note) for note in inputs.notes] == [
        "ClusterRole shop/viewer: is cluster-scoped: its namespace is passed over"
    ]


@pytest.mark.parametrize(
    ("objects", "problem"),
    [
        ([config_map(), config_map()], "is there twice, first in in.yaml, document 1"),
        (
            [{"apiVersion": "v1", "kind": "Secret", "metadata": {"generateName": "a-"}}],
            "metadata.name: needs a name",
        ),
        (
            [policy(placement={"clusterAffinity": {"clusterNames": "m1"}})],
            "spec.placement.clusterAffinity.clusterNames",
        ),
        (
            [{**cluster("m1"), "spec": {"taints": [{"key": "a"}]}}],
            "spec.taints[0].effect",
        ),
    ],
    ids=["twice", "no name", "policy", "cluster"],
)
def test_what_cannot_be_used_is_an_error_with_its_place(
    objects: list[dict[str, Any]], problem: str
) -> None:
    inputs = read_inputs(manifests(*objects))

    (error,) = inputs.errors
    assert problem in str(error)
    assert error.step == "input"
    assert error.source == f"in.yaml, document {len(objects)}"
    kept = [*inputs.templates, *inputs.policies, *inputs.clusters]
    assert len(kept) == len(objects) - 1


def test_kinds_of_the_control_plane_that_a_plan_does_not_read_are_noted() -> None:
    quota = {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "FederatedResourceQuota",
        "metadata": {"name": "q", "namespace": "shop"},
    }

    inputs = read_inputs(manifests(quota))

    assert not inputs.templates
    assert [note.text for note in inputs.notes] == ["a plan does not look at this kind"]


def test_each_kind_is_looked_up_once() -> None:
    asked = []

    def lookup(group: str, kind: str) -> str | None:
        asked.append((group, kind))
        return None

    scopes = Scopes(lookup=lookup)

    assert [scopes.of(GVK("x.io", "v1", "X")) for _ in range(3)] == [None] * 3
    assert scopes.of(GVK("apps", "v1", "Deployment")) == "Namespaced"
    assert asked == [("x.io", "X")]


@pytest.mark.parametrize(
    ("group", "kind", "scope"),
    [
        ("", "Namespace", "Cluster"),
        ("", "Pod", "Namespaced"),
        ("apps", "Deploymnt", None),
        ("work.karmada.io", "ClusterResourceBinding", "Cluster"),
        ("example.com", "Pod", None),
    ],
)
def test_built_in_kinds_have_a_scope(group: str, kind: str, scope: str | None) -> None:
    assert built_in_scope(group, kind) == scope


@pytest.mark.parametrize(
    ("group", "kind"), [("..", "x"), ("ray.io", "../x"), ("nowhere.io", "X"), ("ray.io", "X")]
)
def test_the_catalogue_knows_no_scope_of_other_kinds(group: str, kind: str) -> None:
    assert bundled_scope(group, kind) is None
