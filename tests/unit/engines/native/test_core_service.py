"""v1 Service."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from interpreter.engines.native.core_service import KIND

Obj = dict[str, Any]


def service(spec: Any = None, **fields: Any) -> Obj:
    obj = {"apiVersion": "v1", "kind": "Service", "unknown": {"": [{}]}, **fields}
    return obj if spec is None else {**obj, "spec": spec}


def balancer(status: Any = None, **spec: Any) -> Obj:
    return service({"type": "LoadBalancer", **spec}, status=status)


# --- Retention -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("desired", "observed", "want"),
    [
        pytest.param(
            {"x": []}, {"clusterIP": "10.0.0.1"}, {"x": [], "clusterIP": "10.0.0.1"}, id="address"
        ),
        pytest.param({"clusterIP": "a"}, {"clusterIP": ""}, {"clusterIP": "a"}, id="empty address"),
        pytest.param({}, {"clusterIP": "None"}, {"clusterIP": "None"}, id="headless"),
        pytest.param(
            {"healthCheckNodePort": 1},
            {"healthCheckNodePort": 30000},
            {"healthCheckNodePort": 30000},
            id="port",
        ),
        pytest.param(
            {"healthCheckNodePort": 1},
            {"healthCheckNodePort": 0},
            {"healthCheckNodePort": 1},
            id="port 0",
        ),
        pytest.param({}, {"healthCheckNodePort": -1}, {}, id="negative port"),
        pytest.param(
            {"ports": [{"port": 80}]},
            {"clusterIPs": ["10.0.0.1"], "ports": [{"port": 80, "nodePort": 30001}]},
            {"ports": [{"port": 80}]},
            id="neither address list nor node ports",
        ),
        pytest.param(None, {"clusterIP": "a"}, {"clusterIP": "a"}, id="no spec in the template"),
        pytest.param({"x": 1}, None, {"x": 1}, id="no spec at the member"),
    ],
)
def test_port_and_address_of_the_member_stay(
    ask: Any, desired: Any, observed: Any, want: Obj
) -> None:
    assert ask(KIND.retain, service(desired), service(observed)) == service(want)


@pytest.mark.parametrize(
    ("desired", "observed", "path"),
    [
        ({}, [], "spec"),
        ({}, {"clusterIP": None}, "spec.clusterIP"),
        ({}, {"clusterIP": 5}, "spec.clusterIP"),
        ({}, {"healthCheckNodePort": 3.0}, "spec.healthCheckNodePort"),
        ({}, {"healthCheckNodePort": "1"}, "spec.healthCheckNodePort"),
        ("x", {"clusterIP": "a"}, "spec"),
    ],
)
def test_retention_of_wrong_types_is_an_error(
    refused: Any, desired: Any, observed: Any, path: str
) -> None:
    assert refused(KIND.retain, service(desired), service(observed)).path == path


# --- Aggregation ---------------------------------------------------------------------------------


def member(*entries: Any, **status: Any) -> Obj:
    return {"clusterName": "a", "status": {"loadBalancer": {"ingress": list(entries)}, **status}}


@pytest.mark.parametrize(
    ("items", "want"),
    [
        pytest.param(None, {}, id="null items"),
        pytest.param([], {}, id="no items"),
        pytest.param([{}, {"status": None}, {"status": {}}, member()], {}, id="no entries"),
        pytest.param(
            [
                member({"ip": "192.0.2.9"}, None, {"hostname": "b"}),
                member({"hostname": "a", "ip": "z"}),
            ],
            [{"hostname": "a", "ip": "z"}, {"hostname": "b"}, {}, {"ip": "192.0.2.9"}],
            id="by hostname, without one last, then by ip",
        ),
        pytest.param(
            [member({"ip": "i"}, {"ip": "i", "ipMode": "VIP"}, {"ip": "i", "ipMode": "Proxy"})],
            [{"ip": "i", "ipMode": "Proxy"}, {"ip": "i", "ipMode": "VIP"}, {"ip": "i"}],
            id="by mode, without one last",
        ),
        pytest.param(
            [member({"ip": "i", "unknown": {}}), member({"ip": "i", "unknown": "second"})],
            [{"ip": "i", "unknown": {}}],
            id="each address once, as the first member has it",
        ),
        pytest.param(
            [
                member({"ip": "i", "ports": [{"port": 443, "protocol": "TCP"}, {"port": 80}]}),
                member(
                    {
                        "ip": "i",
                        "ports": [
                            {"port": 443, "protocol": "TCP", "error": "no"},
                            {"port": 443, "protocol": "TCP"},
                            {"port": 443, "protocol": "SCTP"},
                            None,
                        ],
                    }
                ),
            ],
            [
                {
                    "ip": "i",
                    "ports": [
                        {},
                        {"port": 80},
                        {"port": 443, "protocol": "SCTP"},
                        {"port": 443, "protocol": "TCP"},
                        {"port": 443, "protocol": "TCP", "error": "no"},
                    ],
                }
            ],
            id="ports once, by number, protocol and error",
        ),
        pytest.param(
            [{"status": {"LOADBALANCER": {"Ingress": [{"IP": "i", "Ports": [{"PORT": 1}]}]}}}],
            [{"ip": "i", "ports": [{"port": 1}]}],
            id="any spelling",
        ),
    ],
)
def test_load_balancer_entries_are_merged(ask: Any, items: Any, want: Any) -> None:
    merged = {"loadBalancer": {"ingress": want} if want else {}}
    assert ask(KIND.aggregate_status, balancer(x=[]), items) == balancer(merged, x=[])
    old = {"loadBalancer": {"ingress": [{"ip": "old"}]}, "mine": {"a": []}, "conditions": [{}]}
    assert ask(KIND.aggregate_status, balancer(old), items)["status"] == {
        "mine": {"a": []},
        **merged,
    }


def test_an_old_status_that_says_the_same_stays(ask: Any) -> None:
    obj = balancer({"loadBalancer": {"ingress": [{"ip": "i", "hostname": ""}]}, "conditions": []})
    assert ask(KIND.aggregate_status, obj, [member({"ip": "i"})]) == obj


@pytest.mark.parametrize(
    "spec", [None, {}, {"type": None}, {"type": "ClusterIP"}, {"type": "NodePort"}]
)
def test_a_service_of_another_type_stays_as_it_is(ask: Any, spec: Any) -> None:
    obj = service(spec, status={"conditions": [{}], "loadBalancer": "odd"})
    assert ask(KIND.aggregate_status, obj, [member({"ip": "i"})]) == obj


@pytest.mark.parametrize(
    ("obj", "items", "path"),
    [
        pytest.param(service([]), [], "spec", id="spec"),
        pytest.param(service({"type": 5}), [], "spec.type", id="type"),
        pytest.param(balancer("x"), [], "status", id="own status"),
        pytest.param(balancer({"loadBalancer": []}), [], "status.loadBalancer", id="own balancer"),
        pytest.param(balancer(), {}, "items", id="items"),
        pytest.param(
            balancer(),
            [{"status": {"loadBalancer": 1}}],
            "items[0].status.loadBalancer",
            id="balancer",
        ),
        pytest.param(
            balancer(),
            [{"status": {"loadBalancer": {"ingress": {}}}}],
            "items[0].status.loadBalancer.ingress",
            id="entries",
        ),
        pytest.param(
            balancer(), [{}, member({}, "x")], "items[1].status.loadBalancer.ingress[1]", id="entry"
        ),
        pytest.param(
            balancer(),
            [member({}, {"hostname": 5})],
            "items[0].status.loadBalancer.ingress[1].hostname",
            id="hostname",
        ),
        pytest.param(
            balancer(),
            [member({"ipMode": []})],
            "items[0].status.loadBalancer.ingress[0].ipMode",
            id="mode",
        ),
        pytest.param(
            balancer(),
            [{}, member({"ports": "x"})],
            "items[1].status.loadBalancer.ingress[0].ports",
            id="ports",
        ),
        pytest.param(
            balancer(),
            [{}, member({}, {"ports": [{}, "x"]})],
            "items[1].status.loadBalancer.ingress[1].ports[1]",
            id="port",
        ),
        pytest.param(
            balancer(),
            [member({"ports": [{}, {"port": "80"}]})],
            "items[0].status.loadBalancer.ingress[0].ports[1].port",
            id="port number",
        ),
        pytest.param(
            balancer(),
            [member({"ports": [{"port": 80.0}]})],
            "items[0].status.loadBalancer.ingress[0].ports[0].port",
            id="a float is no port number of a member",
        ),
        pytest.param(
            balancer(),
            [member({"ports": [{"error": 5}]})],
            "items[0].status.loadBalancer.ingress[0].ports[0].error",
            id="port error",
        ),
    ],
)
def test_aggregation_of_wrong_types_is_an_error(
    refused: Any, obj: Obj, items: Any, path: str
) -> None:
    assert refused(KIND.aggregate_status, obj, items).path == path


# --- Collection ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("obj", "want"),
    [
        (balancer(), None),
        (service({"type": "ClusterIP"}, status={"loadBalancer": {}}), None),
        (service(status={"loadBalancer": {}}), None),
        (balancer({}), {"loadBalancer": {}}),
        (balancer({"loadBalancer": None, "conditions": [{}]}), {"loadBalancer": {}}),
        (balancer({"loadBalancer": {"ingress": []}}), {"loadBalancer": {}}),
        (
            balancer({"loadBalancer": {"ingress": [{"ip": "i", "ports": []}], "x": {}}}),
            {"loadBalancer": {"ingress": [{"ip": "i", "ports": []}], "x": {}}},
        ),
    ],
)
def test_the_load_balancer_is_collected(ask: Any, obj: Obj, want: Any) -> None:
    assert ask(KIND.reflect_status, obj) == want


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (balancer("x"), "status"),
        (service({"type": "ClusterIP"}, status=[]), "status"),
        (balancer({"loadBalancer": 5}), "status.loadBalancer"),
    ],
)
def test_collection_of_wrong_types_is_an_error(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.reflect_status, obj).path == path


# --- Health --------------------------------------------------------------------------------------


def with_entries(*entries: Any) -> Obj:
    return balancer({"loadBalancer": {"ingress": list(entries)}})


NOTHING_TO_WAIT_FOR = ("Healthy", "NoLoadBalancer", "the service needs no load balancer", True)
WAITING = (
    "Progressing",
    "NoAddress",
    "waiting for the load balancer to assign an address",
    False,
)


@pytest.mark.parametrize(
    ("obj", "want"),
    [
        pytest.param(service(), NOTHING_TO_WAIT_FOR, id="no type"),
        pytest.param(service({"type": "ExternalName"}), NOTHING_TO_WAIT_FOR, id="another type"),
        pytest.param(balancer(), WAITING, id="no status"),
        pytest.param(balancer({"loadBalancer": {"ingress": None}}), WAITING, id="null entries"),
        pytest.param(
            with_entries(None, {}, {"ip": "", "hostname": None}),
            ("Healthy", "EntryAssigned", "the load balancer names no address", False),
            id="no address: the reference needs one",
        ),
        pytest.param(
            with_entries({}, {"ip": "192.0.2.1"}),
            ("Healthy", "AddressAssigned", "reachable at 192.0.2.1", True),
            id="ip",
        ),
        pytest.param(
            with_entries({"ip": "192.0.2.1", "hostname": "lb.example.com"}),
            ("Healthy", "AddressAssigned", "reachable at lb.example.com", True),
            id="hostname",
        ),
    ],
)
def test_health_is_an_address_where_one_is_needed(
    ask: Any, obj: Obj, want: tuple[Any, ...]
) -> None:
    health = ask(KIND.interpret_health, obj)
    assert (health.status, health.reason, health.message, health.healthy) == want


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (service("x"), "spec"),
        (service({"type": []}), "spec.type"),
        (balancer([]), "status"),
        (balancer({"loadBalancer": "x"}), "status.loadBalancer"),
        (balancer({"loadBalancer": {"ingress": {}}}), "status.loadBalancer.ingress"),
        (with_entries({"ip": "i"}, 5), "status.loadBalancer.ingress[1]"),
        (with_entries({"ip": 5}), "status.loadBalancer.ingress[0].ip"),
    ],
)
def test_health_of_wrong_types_is_an_error(refused: Any, obj: Obj, path: str) -> None:
    assert refused(KIND.interpret_health, obj).path == path


# --- Pruning -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "want"),
    [
        ({"clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"], "x": 1}, {"x": 1}),
        ({"clusterIP": "", "clusterIPs": []}, {}),
        (
            {"clusterIP": "None", "clusterIPs": ["None"]},
            {"clusterIP": "None", "clusterIPs": ["None"]},
        ),
        ({"clusterIPs": ["10.0.0.1"]}, {"clusterIPs": ["10.0.0.1"]}),
        ({}, {}),
        ([], []),
        (None, None),
    ],
)
def test_pruning_drops_assigned_addresses(spec: Any, want: Any) -> None:
    obj = copy.deepcopy(service(spec))
    assert KIND.prune_rule is not None
    KIND.prune_rule(obj, False)
    assert obj == service(want)
