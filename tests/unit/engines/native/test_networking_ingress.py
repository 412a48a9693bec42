"""networking.k8s.io/v1 Ingress."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.engines.native.networking_ingress import KIND

Obj = dict[str, Any]


def ingress(spec: Any = None, **fields: Any) -> Obj:
    obj = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "Ingress",
        "metadata": {"namespace": "shop"},
        **fields,
    }
    return obj if spec is None else {**obj, "spec": spec}


def member(*entries: Any) -> Obj:
    return {"clusterName": "a", "status": {"loadBalancer": {"ingress": list(entries)}}}


@pytest.mark.parametrize(
    ("items", "want"),
    [
        (None, {}),
        ([{}], {}),
        (
            [member({"ip": "b"}, {"hostname": "z"}), member({"ip": "a"}, {"ip": "b"})],
            {"ingress": [{"hostname": "z"}, {"ip": "a"}, {"ip": "b"}]},
        ),
        (
            [member({"ip": "a", "ipMode": "VIP", "x": []}, {"ip": "a", "ipMode": "Proxy"})],
            {"ingress": [{"ip": "a", "x": []}]},
        ),
        (
            [
                member(
                    {"ip": "a", "ports": [{"port": 2}, {"port": 1, "protocol": "TCP"}, {"port": 2}]}
                )
            ],
            {"ingress": [{"ip": "a", "ports": [{"port": 1, "protocol": "TCP"}, {"port": 2}]}]},
        ),
    ],
    ids=["null items", "no status", "sorted once", "mode is unknown here", "ports"],
)
def test_load_balancer_entries_are_merged(ask: Any, items: Any, want: Obj) -> None:
    spec = {"x": [None]}
    assert ask(KIND.aggregate_status, ingress(spec), items) == ingress(
        spec, status={"loadBalancer": want}
    )
    old = ingress(spec, status={"mine": {}, "loadBalancer": {"ingress": [{"ip": "old"}]}})
    assert ask(KIND.aggregate_status, old, items) == ingress(
        spec, status={"mine": {}, "loadBalancer": want}
    )


def test_an_old_status_that_says_the_same_stays(ask: Any) -> None:
    obj = ingress(status={"loadBalancer": {"ingress": [{"ip": "i", "ports": []}]}})
    assert ask(KIND.aggregate_status, obj, [member({"ip": "i"})]) == obj


@pytest.mark.parametrize(
    ("status", "items", "path"),
    [
        ("x", [], "status"),
        ({"loadBalancer": []}, [], "status.loadBalancer"),
        ({}, [{}, member({}, 5)], "items[1].status.loadBalancer.ingress[1]"),
        ({}, [member({"ip": 5})], "items[0].status.loadBalancer.ingress[0].ip"),
        ({}, [member({"ports": [5]})], "items[0].status.loadBalancer.ingress[0].ports[0]"),
    ],
)
def test_aggregation_of_wrong_types_is_an_error(
    refused: Any, status: Any, items: Any, path: str
) -> None:
    assert refused(KIND.aggregate_status, ingress(status=status), items).path == path


@pytest.mark.parametrize(
    ("status", "want"),
    [
        (
            {"loadBalancer": {"ingress": [{}, {"hostname": "lb.example.com"}]}},
            ("Healthy", "AddressAssigned", "reachable at lb.example.com", True),
        ),
        (
            {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}},
            ("Healthy", "AddressAssigned", "reachable at 192.0.2.1", True),
        ),
        (
            {"loadBalancer": {"ingress": [None, {}]}},
            ("Healthy", "EntryAssigned", "the load balancer names no address", False),
        ),
        *(
            (
                status,
                (
                    "Progressing",
                    "NoAddress",
                    "waiting for the load balancer to assign an address",
                    False,
                ),
            )
            for status in (
                None,
                {},
                {"loadBalancer": {}},
                {"loadBalancer": {"ingress": []}},
            )
        ),
    ],
)
def test_health_is_an_address(ask: Any, status: Any, want: tuple[Any, ...]) -> None:
    health = ask(KIND.interpret_health, ingress(status=status))
    assert (health.status, health.reason, health.message, health.healthy) == want


def test_health_of_a_wrong_type_is_an_error(refused: Any) -> None:
    obj = ingress(status={"loadBalancer": {"ingress": [{}, {"hostname": 5}]}})
    assert refused(KIND.interpret_health, obj).path == "status.loadBalancer.ingress[1].hostname"


def tls(*names: Any) -> Obj:
    return ingress({"tls": [{"secretName": name, "hosts": []} for name in names]})


def test_tls_secrets_travel_in_order_with_doubles(ask: Any) -> None:
    found = ask(KIND.get_dependencies, tls("b", "a", "b"))
    assert [(ref.api_version, ref.kind, ref.namespace, ref.name) for ref in found] == [
        ("v1", "Secret", "shop", name) for name in ("b", "a", "b")
    ]


@pytest.mark.parametrize("spec", [None, {}, {"tls": None}, {"tls": []}])
def test_without_tls_there_are_no_dependencies(ask: Any, spec: Any) -> None:
    assert ask(KIND.get_dependencies, ingress(spec)) == []


@pytest.mark.parametrize("entry", [None, {}, {"secretName": None}, {"secretName": ""}])
def test_a_tls_entry_without_a_name_is_an_error_in_the_published_words(
    refused: Any, entry: Any
) -> None:
    obj = ingress({"tls": [{"secretName": "a"}, entry]})
    assert str(refused(KIND.get_dependencies, obj)) == (
        'dependencies[1]: Invalid value: {"apiVersion":"v1","kind":"Secret","namespace":"shop"}: '
        "dependency can not leave name and labelSelector all empty"
    )


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (ingress([]), "spec"),
        (ingress({"tls": {}}), "spec.tls"),
        (ingress({"tls": [{"secretName": "a"}, "x"]}), "spec.tls[1]"),
        (tls("a", 5), "spec.tls[1].secretName"),
        ({**tls("a"), "metadata": {"namespace": 5}}, "metadata.namespace"),
    ],
)
def test_a_reference_of_a_wrong_type_is_an_error(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.get_dependencies, obj).path == path
