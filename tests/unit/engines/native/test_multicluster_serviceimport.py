"""multicluster.x-k8s.io/v1alpha1 ServiceImport."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.engines.native.multicluster_serviceimport import KIND

Obj = dict[str, Any]


def imported(**metadata: Any) -> Obj:
    return {"kind": "ServiceImport", "metadata": metadata, "spec": {"type": "Headless"}}


def test_the_derived_service_and_its_endpoints_travel(ask: Any) -> None:
    found = ask(KIND.get_dependencies, imported(name="cart", namespace="shop"))
    assert [reference.to_dict() for reference in found] == [
        {"apiVersion": "v1", "kind": "Service", "namespace": "shop", "name": "derived-cart"},
        {
            "apiVersion": "discovery.k8s.io/v1",
            "kind": "EndpointSlice",
            "namespace": "shop",
            "labelSelector": {"matchLabels": {"kubernetes.io/service-name": "derived-cart"}},
        },
    ]


def test_without_a_namespace_none_is_named(ask: Any) -> None:
    found = ask(KIND.get_dependencies, imported(name="cart"))
    assert [reference.namespace for reference in found] == ["", ""]


@pytest.mark.parametrize("name", ["", "x" * 56, "ends-", "a b", "\u00e9", "\ud800"])
def test_a_name_that_makes_no_label_is_an_error(refused: Any, name: str) -> None:
    error = refused(KIND.get_dependencies, imported(name=name))
    assert "dependencies[1].labelSelector.matchLabels: Invalid value" in str(error)


def test_a_name_of_63_characters_with_its_prefix_is_fine(ask: Any) -> None:
    assert len(ask(KIND.get_dependencies, imported(name="x" * 55))) == 2


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        ({"metadata": []}, "metadata"),
        (imported(name=5), "metadata.name"),
        (imported(name="a", namespace=[]), "metadata.namespace"),
        ({**imported(name="a"), "spec": "x"}, "spec"),
    ],
)
def test_a_wrong_type_is_an_error(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.get_dependencies, obj).path == path
