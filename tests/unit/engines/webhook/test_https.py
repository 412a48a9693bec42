"""Karmada's protocol against real HTTPS servers, good ones and bad ones."""

from __future__ import annotations

import base64
import gc
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
import trustme

from interpreter import (
    Component,
    DependentObjectReference,
    Health,
    HookContext,
    Operation,
    ReplicaRequirements,
    ReplicaResult,
    ResourceInterpreter,
    Settings,
)
from interpreter.errors import InterpreterError, InvalidCustomization, WebhookError
from interpreter.telemetry import WEBHOOK_CALLS, WEBHOOK_CIRCUIT, WEBHOOK_RETRIES

from .conftest import (
    WIDGET,
    RawPeer,
    WebhookServer,
    bundle_of,
    configuration,
    server_context,
    succeed,
)

#: Short pauses: what is tested is that there are some.
QUICK = Settings(webhook_backoff_ms=1, webhook_circuit_open_ms=60_000)


@pytest.fixture
def interpreter(server: WebhookServer, authority: trustme.CA) -> Iterator[ResourceInterpreter]:
    document = configuration(server.url, bundle_of(authority))
    with ResourceInterpreter(webhooks=[document], plugins=None, settings=QUICK) as ri:
        yield ri


def made(url: str, authority: trustme.CA | None, **options: Any) -> ResourceInterpreter:
    settings = options.pop("settings", QUICK)
    tiers = options.pop("tiers", ("webhook",))
    bundle = None if authority is None else bundle_of(authority)
    document = configuration(url, bundle, **options)
    return ResourceInterpreter(webhooks=[document], plugins=None, tiers=tiers, settings=settings)


def patch(*operations: dict[str, Any]) -> dict[str, Any]:
    text = base64.b64encode(json.dumps(operations).encode()).decode()
    return {"patch": text, "patchType": "JSONPatch"}


REVISE = {"op": "replace", "path": "/spec/replicas", "value": 5}
ADD_STATUS = {"op": "add", "path": "/status", "value": {"ready": 1}}


@pytest.mark.parametrize(
    ("operation", "inputs", "response", "result"),
    [
        (
            Operation.GET_REPLICAS,
            {},
            {"replicas": 2, "replicaRequirements": {"resourceRequest": {"cpu": "1"}}},
            ReplicaResult(2, ReplicaRequirements(resource_request={"cpu": "1"})),
        ),
        (
            Operation.GET_COMPONENTS,
            {},
            {"components": [{"name": "a", "replicas": 1}]},
            [Component("a", 1)],
        ),
        (
            Operation.REVISE_REPLICA,
            {"replicas": 5},
            patch(REVISE),
            {**WIDGET, "spec": {"replicas": 5}},
        ),
        (Operation.RETAIN, {"observed": WIDGET}, {}, WIDGET),
        (
            Operation.AGGREGATE_STATUS,
            {"items": []},
            patch(ADD_STATUS),
            {**WIDGET, "status": {"ready": 1}},
        ),
        (Operation.REFLECT_STATUS, {}, {"rawStatus": {"a": []}}, {"a": []}),
        (Operation.INTERPRET_HEALTH, {}, {"healthy": True}, Health("Healthy")),
        (
            Operation.GET_DEPENDENCIES,
            {},
            {"dependencies": [{"apiVersion": "v1", "kind": "Secret", "name": "s"}]},
            [DependentObjectReference("v1", "Secret", "", "s")],
        ),
    ],
)
def test_each_operation_is_answered_by_the_webhook(
    interpreter: ResourceInterpreter,
    server: WebhookServer,
    operation: Operation,
    inputs: dict[str, Any],
    response: dict[str, Any],
    result: Any,
) -> None:
    server.behaviour = lambda document, path: succeed(document, **response)
    assert interpreter.call(operation, WIDGET, **inputs) == result
    ((path, document),) = server.requests
    assert path == "/interpret?timeout=10s"
    assert document["request"]["object"] == WIDGET


def test_the_timeout_travels_rounded_up(server: WebhookServer, authority: trustme.CA) -> None:
    with made(server.url, authority, timeoutSeconds=3) as ri:
        ri.interpret_health(WIDGET)
        soon = HookContext(deadline=time.monotonic() + 1.2)
        ri.interpret_health(WIDGET, context=soon)
    assert [path for path, _document in server.requests] == [
        "/interpret?timeout=3s",
        "/interpret?timeout=2s",
    ]


def test_every_request_has_an_identifier_of_its_own(
    interpreter: ResourceInterpreter, server: WebhookServer
) -> None:
    for _time in range(3):
        interpreter.interpret_health(WIDGET)
    assert len({document["request"]["uid"] for _path, document in server.requests}) == 3


def test_calls_share_a_connection_and_so_do_webhooks_with_one_address(
    server: WebhookServer, authority: trustme.CA
) -> None:
    bundle = bundle_of(authority)
    documents = [
        configuration(server.url, bundle, name="a", operations=["InterpretHealth"]),
        configuration(server.url, bundle, name="b", operations=["InterpretStatus"]),
    ]
    server.behaviour = lambda document, path: succeed(document, healthy=True, rawStatus={})
    with ResourceInterpreter(webhooks=documents, plugins=None, settings=QUICK) as ri:
        for _time in range(3):
            ri.interpret_health(WIDGET)
            ri.reflect_status(WIDGET)
        assert len(server.peers) == 1
        # The same address in a new generation of the document: the connection stays.
        ri.set_webhooks([configuration(server.url, bundle, name="c")])
        gc.collect()
        ri.interpret_health(WIDGET)
        assert len(server.peers) == 1


def test_other_certificates_to_trust_make_other_connections(
    interpreter: ResourceInterpreter, server: WebhookServer, authority: trustme.CA
) -> None:
    interpreter.interpret_health(WIDGET)
    stranger = trustme.CA()
    interpreter.set_webhooks([configuration(server.url, bundle_of(stranger))])
    with pytest.raises(WebhookError, match="its certificate or TLS cannot be trusted") as caught:
        interpreter.interpret_health(WIDGET)
    assert not caught.value.temporary
    both = base64.b64encode(stranger.cert_pem.bytes() + authority.cert_pem.bytes()).decode()
    interpreter.set_webhooks([configuration(server.url, both)])
    assert interpreter.interpret_health(WIDGET).healthy
    assert len(server.peers) == 2


def test_a_certificate_for_another_name_is_not_trusted(authority: trustme.CA) -> None:
    with (
        closing(WebhookServer(server_context(authority, "other.example.com"))) as server,
        made(server.url, authority) as ri,
        pytest.raises(WebhookError, match="cannot be trusted"),
    ):
        ri.interpret_health(WIDGET)
    assert server.requests == []


def test_without_a_bundle_the_systems_authorities_are_trusted(server: WebhookServer) -> None:
    with made(server.url, None) as ri, pytest.raises(WebhookError, match="cannot be trusted"):
        ri.interpret_health(WIDGET)


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        pytest.param(404, b"no such page", "answered with status 404: no such page", id="404"),
        pytest.param(302, b"", "answered with status 302", id="redirects are not followed"),
        pytest.param(500, b"x" * 10_000, "answered with status 500: xxx", id="500"),
        pytest.param(200, b"<html>", "its answer is no JSON", id="no JSON"),
        pytest.param(200, b"", "its answer is no JSON", id="empty"),
        pytest.param(200, b"\xff", "its answer is no JSON", id="no text"),
        pytest.param(200, b"{}", "the response is absent", id="no response"),
        pytest.param(200, b'{"a":1,"a":2}', "duplicate key", id="a key twice"),
    ],
)
def test_an_answer_that_is_none_is_an_error_that_names_the_webhook(
    interpreter: ResourceInterpreter,
    server: WebhookServer,
    status: int,
    body: bytes,
    message: str,
) -> None:
    server.behaviour = lambda document, path: (status, body)
    with pytest.raises(WebhookError, match=message) as caught:
        interpreter.interpret_health(WIDGET)
    error = caught.value
    assert (error.tier, error.plugin, error.operation) == (
        "webhook",
        "hooks/w",
        Operation.INTERPRET_HEALTH,
    )
    assert str(error).count(f"webhook 'hooks/w' ({server.url})") == 1
    assert len(str(error)) < 1000
    assert len(server.requests) == 1, "what was answered is not asked again"


def test_a_webhook_that_says_no_is_an_error_with_its_words(
    interpreter: ResourceInterpreter, server: WebhookServer
) -> None:
    def refuse(document: dict[str, Any], path: str) -> tuple[int, bytes]:
        status = {"code": 400, "message": "spec.size is odd"}
        return succeed(document, successful=False, status=status)

    server.behaviour = refuse
    for _time in range(10):
        with pytest.raises(WebhookError, match=r"failed with code 400: spec\.size is odd"):
            interpreter.interpret_health(WIDGET)
    assert len(server.requests) == 10, "it answers: its circuit stays closed"


def test_an_answer_beyond_the_limit_is_an_error(
    server: WebhookServer, authority: trustme.CA
) -> None:
    server.behaviour = lambda document, path: succeed(document, healthy=True, x="y" * 300_000)
    settings = Settings(webhook_answer_bytes=100_000)
    with made(server.url, authority, settings=settings) as ri:
        with pytest.raises(WebhookError, match="longer than 100000 bytes"):
            ri.interpret_health(WIDGET)
        server.behaviour = lambda document, path: succeed(document, healthy=True)
        assert ri.interpret_health(WIDGET).healthy


def test_objects_of_twenty_megabytes_go_both_ways(
    interpreter: ResourceInterpreter, server: WebhookServer
) -> None:
    big = {**WIDGET, "data": {f"k{index}": "v" * 1000 for index in range(20_000)}}
    server.behaviour = lambda document, path: succeed(
        document, rawStatus=document["request"]["object"]["data"]
    )
    assert interpreter.reflect_status(big) == big["data"]


def test_a_service_is_asked_by_its_dns_name(
    server: WebhookServer, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = socket.getaddrinfo

    def resolve(host: Any, *rest: Any, **named: Any) -> Any:
        return real("127.0.0.1" if host == "hooks.system.svc" else host, *rest, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with closing(WebhookServer(server_context(authority, "hooks.system.svc"))) as service:
        service_reference = {
            "namespace": "system",
            "name": "hooks",
            "port": service.port,
            "path": "/ask",
        }
        config = {"service": service_reference, "caBundle": bundle_of(authority)}
        with made("", None, clientConfig=config) as ri:
            assert ri.interpret_health(WIDGET).healthy
    assert service.requests[0][0] == "/ask?timeout=10s"


# --- Slow, half-open and dying peers ---


def drip(authority: trustme.CA, lines: bytes) -> Callable[[socket.socket, threading.Event], None]:
    """Serves TLS, then one byte every 50 ms: no single wait of the client is ever long."""
    context = server_context(authority)

    def serve(connection: socket.socket, over: threading.Event) -> None:
        with context.wrap_socket(connection, server_side=True) as tls:
            for byte in lines:
                tls.sendall(bytes([byte]))
                if over.wait(0.05):
                    return

    return serve


def silent(connection: socket.socket, over: threading.Event) -> None:
    over.wait()


def deaf(authority: trustme.CA) -> Callable[[socket.socket, threading.Event], None]:
    context = server_context(authority)

    def serve(connection: socket.socket, over: threading.Event) -> None:
        with context.wrap_socket(connection, server_side=True):
            over.wait()

    return serve


ENDLESS_HEADERS = b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(1000))
ENDLESS_BODY = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b" " * 100_000
PEERS: list[Any] = [
    pytest.param(lambda authority: silent, WIDGET, id="says nothing, not even hello"),
    pytest.param(deaf, WIDGET, id="shakes hands and says nothing"),
    pytest.param(deaf, {**WIDGET, "data": "x" * 20_000_000}, id="does not read a body of 20 MB"),
    pytest.param(lambda authority: drip(authority, ENDLESS_HEADERS), WIDGET, id="drips headers"),
    pytest.param(lambda authority: drip(authority, ENDLESS_BODY), WIDGET, id="drips a body"),
]


@pytest.mark.parametrize(("peer", "obj"), PEERS)
def test_a_peer_that_dawdles_costs_its_timeout_and_no_more(
    raw_peer: Callable[..., RawPeer], authority: trustme.CA, peer: Any, obj: dict[str, Any]
) -> None:
    listener = raw_peer(peer(authority))
    url = f"https://localhost:{listener.port}/x"
    with made(url, authority, timeoutSeconds=1) as ri:
        started = time.monotonic()
        with pytest.raises(WebhookError, match="did not answer in time") as caught:
            ri.interpret_health(obj)
        assert 0.9 < time.monotonic() - started < 3
    assert caught.value.temporary
    assert listener.connections == 1, "a timeout is not tried again"


def test_the_callers_deadline_bounds_the_call(
    raw_peer: Callable[..., RawPeer], authority: trustme.CA
) -> None:
    url = f"https://localhost:{raw_peer(silent).port}/x"
    with made(url, authority) as ri:
        started = time.monotonic()
        with pytest.raises(WebhookError, match="did not answer in time"):
            ri.interpret_health(WIDGET, context=HookContext(deadline=started + 0.2))
        assert time.monotonic() - started < 2
        with pytest.raises(WebhookError, match="no time is left"):
            ri.interpret_health(WIDGET, context=HookContext(deadline=started))


def test_a_peer_that_hangs_up_is_asked_again_a_bounded_number_of_times(
    raw_peer: Callable[..., RawPeer], authority: trustme.CA
) -> None:
    context = server_context(authority)

    def hang_up(connection: socket.socket, over: threading.Event) -> None:
        with context.wrap_socket(connection, server_side=True) as tls:
            tls.recv(100)

    listener = raw_peer(hang_up)
    with made(f"https://localhost:{listener.port}/x", authority) as ri:
        with pytest.raises(WebhookError, match="cannot be reached") as caught:
            ri.interpret_health(WIDGET)
        assert ri.telemetry.snapshot()[WEBHOOK_RETRIES.name] == {("hooks/w",): 2}
    assert caught.value.temporary
    assert listener.connections == 3


def test_status_503_is_tried_again(interpreter: ResourceInterpreter, server: WebhookServer) -> None:
    answers = iter([(503, b"starting"), (503, b"starting")])

    def start(document: dict[str, Any], path: str) -> tuple[int, bytes]:
        return next(answers, succeed(document, healthy=True))

    server.behaviour = start
    assert interpreter.interpret_health(WIDGET).healthy
    assert len(server.requests) == 3


def test_a_server_that_comes_back_is_found_on_a_new_connection(
    server: WebhookServer, authority: trustme.CA, interpreter: ResourceInterpreter
) -> None:
    interpreter.interpret_health(WIDGET)
    port = server.port
    server.close()
    with closing(WebhookServer(server_context(authority), port)) as again:
        assert interpreter.interpret_health(WIDGET).healthy
    assert len(again.requests) == 1


# --- The circuit ---


def test_a_dead_webhook_is_left_alone_and_explain_and_metrics_say_so(
    raw_peer: Callable[..., RawPeer], authority: trustme.CA
) -> None:
    listener = raw_peer(lambda connection, over: None)
    with made(f"https://localhost:{listener.port}/x", authority) as ri:
        for _time in range(5):
            with pytest.raises(WebhookError, match="cannot be reached"):
                ri.interpret_health(WIDGET)
        asked = listener.connections
        with pytest.raises(WebhookError, match="is left alone: circuit open, next try in"):
            ri.interpret_health(WIDGET)
        explanation = ri.explain(WIDGET, Operation.INTERPRET_HEALTH)
        counts = ri.telemetry.snapshot()
    assert listener.connections == asked == 15
    assert explanation.state is not None
    assert explanation.state.startswith("circuit open, next try in")
    assert explanation.to_dict()["state"] == explanation.state
    assert counts[WEBHOOK_CIRCUIT.name] == {("hooks/w",): 2}
    assert counts[WEBHOOK_CALLS.name] == {("hooks/w", "error"): 7}


def test_a_circuit_closes_when_the_webhook_is_back(
    server: WebhookServer, authority: trustme.CA
) -> None:
    settings = Settings(webhook_backoff_ms=1, webhook_circuit_failures=1, webhook_circuit_open_ms=1)
    with made(server.url, authority, settings=settings) as ri:
        server.behaviour = lambda document, path: (500, b"")
        with pytest.raises(WebhookError):
            ri.interpret_health(WIDGET)
        server.behaviour = lambda document, path: succeed(document, healthy=True)
        answer = eventually(lambda: ri.interpret_health(WIDGET))
        assert answer.healthy
        assert ri.telemetry.snapshot()[WEBHOOK_CIRCUIT.name] == {("hooks/w",): 0}
        explanation = ri.explain(WIDGET, Operation.INTERPRET_HEALTH)
    assert explanation.state == "circuit closed"


def eventually(call: Callable[[], Any]) -> Any:
    """The first answer of a call that fails at first, within ten seconds."""
    until = time.monotonic() + 10
    while True:
        try:
            return call()
        except InterpreterError:
            if time.monotonic() > until:
                raise
            time.sleep(0.005)


def test_each_webhook_has_a_circuit_of_its_own(
    server: WebhookServer, authority: trustme.CA, raw_peer: Callable[..., RawPeer]
) -> None:
    dead = raw_peer(lambda connection, over: None)
    bundle = bundle_of(authority)
    documents = [
        configuration(
            f"https://localhost:{dead.port}/x", bundle, name="a", operations=["InterpretStatus"]
        ),
        configuration(server.url, bundle, name="b", operations=["InterpretHealth"]),
    ]
    with ResourceInterpreter(webhooks=documents, plugins=None, settings=QUICK) as ri:
        for _time in range(6):
            with pytest.raises(WebhookError):
                ri.reflect_status(WIDGET)
        assert ri.interpret_health(WIDGET).healthy


# --- on-error ---


@pytest.mark.parametrize("on_error", [None, "Fail"])
def test_by_default_a_failure_is_the_answer(
    server: WebhookServer, authority: trustme.CA, on_error: str | None
) -> None:
    server.behaviour = lambda document, path: (500, b"")
    tiers = ("webhook", "generic")
    with (
        made(server.url, authority, tiers=tiers, on_error=on_error) as ri,
        pytest.raises(WebhookError),
    ):
        ri.interpret_health(WIDGET)


def test_with_next_tier_the_tiers_behind_are_asked_but_no_webhook(
    server: WebhookServer, authority: trustme.CA
) -> None:
    server.behaviour = lambda document, path: (500, b"")
    bundle = bundle_of(authority)
    documents = [
        configuration(server.url, bundle, name="a", on_error="NextTier"),
        configuration(server.url, bundle, name="b"),
    ]
    with ResourceInterpreter(webhooks=documents, plugins=None, settings=QUICK) as ri:
        assert ri.interpret_health(WIDGET).status == "Progressing"  # by convention: no status yet
        assert len(server.requests) == 1
        explanation = ri.explain(WIDGET, Operation.INTERPRET_HEALTH)
        counts = ri.telemetry.snapshot()[WEBHOOK_CALLS.name]
    assert explanation.tier == "generic"
    first, second = explanation.skipped
    assert (first.plugin, second.plugin) == ("a/w", "b/w")
    assert first.reason.startswith("gave no answer: circuit closed, 2 failed in a row, the last:")
    assert second.reason == "webhook:a/w matches first"
    assert counts == {("a/w", "next_tier"): 2}


def test_with_next_tier_an_answer_counts_also_an_empty_one(
    server: WebhookServer, authority: trustme.CA
) -> None:
    server.behaviour = lambda document, path: succeed(document, rawStatus={})
    widget = {**WIDGET, "status": {"seen": "by the native tier"}}
    with made(server.url, authority, tiers=("webhook", "native"), on_error="NextTier") as ri:
        assert ri.reflect_status(widget) == {}


def test_another_value_of_on_error_is_an_error(authority: trustme.CA) -> None:
    ri = made("https://localhost/x", authority, on_error="Ignore")
    with pytest.raises(InvalidCustomization, match="must be Fail or NextTier"):
        ri.start()


# --- Documents ---


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"timeoutSeconds": 31}, r"webhooks\[0\].timeoutSeconds"),
        ({"timeoutSeconds": 0}, r"webhooks\[0\].timeoutSeconds"),
        ({"interpreterContextVersions": ["v1"]}, r"webhooks\[0\].interpreterContextVersions"),
        (
            {"clientConfig": {"url": "http://x"}},
            r"webhooks\[0\].clientConfig.url: must start with https://",
        ),
        ({"clientConfig": {}}, "exactly one of url and service"),
        (
            {
                "rules": [
                    {
                        "operations": ["Prune"],
                        "apiGroups": [""],
                        "apiVersions": ["v1"],
                        "kinds": ["Pod"],
                    }
                ]
            },
            r"webhooks\[0\].rules\[0\].operations\[0\]: Prune does not exist in Karmada's protocol",
        ),
    ],
)
def test_a_webhook_that_cannot_be_used_is_an_error_at_the_start(
    authority: trustme.CA, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidCustomization, match=message):
        made("https://localhost/x", authority, **change).start()


def test_two_webhooks_of_one_name_are_an_error(authority: trustme.CA) -> None:
    document = configuration("https://localhost/x")
    document["webhooks"] *= 2
    with pytest.raises(InvalidCustomization, match=r"webhooks\[1\].name: two webhooks are named"):
        ResourceInterpreter(webhooks=[document], plugins=None).start()


def test_certificates_that_cannot_be_read_are_an_error_that_says_so() -> None:
    pem = b"-----BEGIN CERTIFICATE-----\nxx\n-----END CERTIFICATE-----\n"
    document = configuration("https://localhost/x", base64.b64encode(pem).decode())
    with pytest.raises(
        InvalidCustomization, match=r"webhooks\[0\].clientConfig.caBundle: holds no"
    ):
        ResourceInterpreter(webhooks=[document], plugins=None).start()


# --- Many callers ---


def test_nothing_is_lost_from_32_threads_while_documents_are_swapped(
    server: WebhookServer, authority: trustme.CA, interpreter: ResourceInterpreter
) -> None:
    server.behaviour = lambda document, path: succeed(
        document, replicas=document["request"]["object"]["spec"]["replicas"]
    )
    bundle = bundle_of(authority)

    def ask(number: int) -> int:
        if number % 50 == 0:
            interpreter.set_webhooks([configuration(server.url, bundle, name=f"n{number}")])
        obj = {**WIDGET, "spec": {"replicas": number}}
        return interpreter.get_replicas(obj).replicas

    with ThreadPoolExecutor(32) as pool:
        assert list(pool.map(ask, range(1000))) == list(range(1000))


def test_closing_ends_connections(
    server: WebhookServer, authority: trustme.CA, interpreter: ResourceInterpreter
) -> None:
    interpreter.interpret_health(WIDGET)
    interpreter.close()
    with pytest.raises(InterpreterError, match="closed"):
        interpreter.interpret_health(WIDGET)


def test_old_tls_is_not_spoken(raw_peer: Callable[..., RawPeer], authority: trustme.CA) -> None:
    context = server_context(authority)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    with closing(WebhookServer(context)) as server, made(server.url, authority) as ri:
        assert ri.interpret_health(WIDGET).healthy
