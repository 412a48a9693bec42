"""Karmada's protocol over HTTPS, against a serving process."""

from __future__ import annotations

import base64
import gzip
import json
import signal
import socket
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import trustme
import urllib3
from http_server import WIDGET, Certificates, Client, Server, request, serving

from interpreter import (
    Component,
    DependentObjectReference,
    Health,
    HookContext,
    ReplicaRequirements,
    ReplicaResult,
    ResourceInterpreter,
    Settings,
)
from interpreter.codec import yaml
from interpreter.errors import WebhookError

DEPLOYMENT: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "d", "namespace": "shop"},
    "spec": {"replicas": 2, "template": {"spec": {"containers": [{"name": "c"}]}}},
}
LUA = {
    "apiVersion": "config.karmada.io/v1alpha1",
    "kind": "ResourceInterpreterCustomization",
    "metadata": {"name": "gadgets"},
    "spec": {
        "target": {"apiVersion": "example.com/v1", "kind": "Gadget"},
        "customizations": {
            "replicaResource": {
                "luaScript": "function GetReplicas(obj)\n  return obj.spec.replicas\nend"
            },
            "healthInterpretation": {
                "luaScript": "function InterpretHealth(obj)\n  while true do end\nend"
            },
            "statusReflection": {
                "luaScript": "function ReflectStatus(obj)\n  return obj.status.a.b\nend"
            },
        },
    },
}
GADGET = {**WIDGET, "kind": "Gadget"}


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    made = Certificates(tmp_path_factory.mktemp("certificates"))
    made.issue()
    return made


@contextmanager
def https(
    certificates: Certificates, folder: Path, *arguments: str, **environment: str
) -> Iterator[Server]:
    tls = ("--tls-cert", str(certificates.certificate), "--tls-key", str(certificates.key))
    told = ("--http", "127.0.0.1:0", "--plugins", "widgets:Widgets", *tls, *arguments)
    with serving(*told, folder=folder, **environment) as server:
        server.wait_for("https")
        yield server


@pytest.fixture(scope="module")
def server(
    certificates: Certificates, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    (folder / "gadgets.json").write_text(json.dumps(LUA))
    with https(certificates, folder, "-c", "gadgets.json", "--metrics", "127.0.0.1:0") as it:
        it.wait_for("metrics")
        yield it


@pytest.fixture(scope="module")
def impatient(
    certificates: Certificates, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server that gives peers little time: on a busy machine good ones need more."""
    short = {"RESOURCE_INTERPRETER_SERVE_HANDSHAKE_MS": "700"}
    with https(certificates, tmp_path_factory.mktemp("impatient"), **short) as it:
        yield it


@pytest.fixture
def client(server: Server, certificates: Certificates) -> Iterator[Client]:
    with closing(Client(server.port, certificates.client_context())) as client:
        yield client


def metrics(server: Server) -> dict[str, float]:
    address = server.wait_for("metrics")
    text = urllib3.request("GET", f"http://{address}/metrics").data.decode()
    pairs = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def patch_of(response: dict[str, Any]) -> Any:
    assert response["patchType"] == "JSONPatch"
    return json.loads(base64.b64decode(response["patch"]))


# --- Every operation, as Karmada asks ---


@pytest.mark.parametrize(
    ("operation", "more", "response"),
    [
        (
            "InterpretReplica",
            {},
            {"replicas": 2, "replicaRequirements": {"resourceRequest": {"cpu": "100m"}}},
        ),
        (
            "InterpretComponent",
            {},
            {"components": [{"name": "a", "replicas": 1}, {"name": "b", "replicas": 2}]},
        ),
        ("InterpretStatus", {}, {"rawStatus": {}}),
        ("InterpretHealth", {}, {"healthy": False}),
        (
            "InterpretDependency",
            {},
            {
                "dependencies": [
                    {
                        "apiVersion": "v1",
                        "kind": "ConfigMap",
                        "namespace": "shop",
                        "name": "settings",
                    }
                ]
            },
        ),
        ("Retain", {"observedObject": WIDGET}, {}),
        ("ReviseReplica", {"replicas": 2}, {}),
    ],
)
def test_each_operation_is_answered(
    client: Client, operation: str, more: dict[str, Any], response: dict[str, Any]
) -> None:
    assert client.ask(operation, **more) == {"successful": True, **response}


@pytest.mark.parametrize(
    ("operation", "more", "patch"),
    [
        (
            "ReviseReplica",
            {"replicas": 7},
            [{"op": "replace", "path": "/spec/replicas", "value": 7}],
        ),
        (
            "Retain",
            {"observedObject": {**WIDGET, "spec": {"replicas": 9}}},
            [{"op": "replace", "path": "/spec/replicas", "value": 9}],
        ),
        (
            "AggregateStatus",
            {"aggregatedStatus": [{"clusterName": "m1"}, {"clusterName": "m2"}]},
            [{"op": "add", "path": "/status", "value": {"members": ["m1", "m2"]}}],
        ),
        ("AggregateStatus", {}, [{"op": "add", "path": "/status", "value": {"members": []}}]),
    ],
)
def test_a_changed_object_travels_as_the_smallest_patch(
    client: Client, operation: str, more: dict[str, Any], patch: Any
) -> None:
    assert patch_of(client.ask(operation, **more)) == patch


def test_documents_with_lua_are_served_beside_plugins(client: Client) -> None:
    assert client.ask("InterpretReplica", GADGET) == {"successful": True, "replicas": 2}


def test_a_request_keeps_its_id_or_gets_one(client: Client) -> None:
    body = json.dumps(request("InterpretReplica")).encode()
    named = client.send(body, headers={"X-Request-Id": "mine-1"})
    assert named.headers["x-request-id"] == "mine-1"
    assert len(client.send(body).headers["x-request-id"]) == 16


# --- Failures that the protocol carries ---


@pytest.mark.parametrize(
    ("operation", "obj", "code", "message"),
    [
        pytest.param(
            "InterpretReplica",
            DEPLOYMENT,
            501,
            'default InterpretReplica interpreter for "apps/v1, Kind=Deployment" not found',
            id="a kind that the native tier knows",
        ),
        pytest.param(
            "InterpretHealth",
            {**WIDGET, "kind": "Odd"},
            501,
            "not found",
            id="conventions do not count",
        ),
        pytest.param(
            "InterpretStatus", DEPLOYMENT, 501, "not found", id="nothing to report is no answer"
        ),
        pytest.param(
            "InterpretReplica",
            {**WIDGET, "spec": {"replicas": 1, "do": "pass"}},
            501,
            "not found",
            id="a plugin that says: not mine",
        ),
        pytest.param(
            "InterpretReplica",
            {**WIDGET, "spec": {"do": "raise", "secret": "hunter2"}},
            500,
            "plugin 'widgets' failed; the server's log tells more",
            id="a plugin that raises tells nobody what",
        ),
        pytest.param(
            "InterpretReplica",
            {**WIDGET, "spec": {"replicas": -1}},
            500,
            "plugin 'widgets' failed",
            id="a plugin that returns nonsense",
        ),
        pytest.param(
            "InterpretReplica",
            {**GADGET, "spec": {"replicas": "many"}},
            500,
            "gadgets",
            id="a script that returns nonsense",
        ),
        pytest.param(
            "InterpretStatus", GADGET, 500, "gadgets/statusReflection:2:", id="a script that fails"
        ),
        pytest.param("InterpretHealth", GADGET, 504, "", id="a script without end"),
        pytest.param(
            "InterpretReplica",
            {"apiVersion": "a/b/c", "kind": "Widget", "metadata": {"name": "w"}},
            400,
            "request.object.apiVersion",
            id="an object without a kind",
        ),
        pytest.param("Prune", WIDGET, 400, "request.operation: is no operation", id="no operation"),
    ],
)
def test_a_failure_is_an_answer_with_code_and_message(
    client: Client, operation: str, obj: Any, code: int, message: str
) -> None:
    response = client.ask(operation, obj)
    assert response["successful"] is False
    assert response["status"]["code"] == code
    assert message in response["status"]["message"]
    assert "hunter2" not in json.dumps(response)
    assert response.keys() == {"successful", "status"}


def test_a_plugin_that_takes_too_long_is_not_waited_for(client: Client) -> None:
    slow = {**WIDGET, "spec": {"replicas": 1, "do": "sleep", "seconds": 3}}
    body = json.dumps(request("InterpretReplica", slow)).encode()
    started = time.monotonic()
    answer = client.send(body, path="/interpret?timeout=200ms")
    assert answer.status == 504
    assert time.monotonic() - started < 2
    assert client.ask("InterpretReplica")["successful"]


# --- What HTTP itself answers ---


@pytest.mark.parametrize(
    ("options", "status", "text"),
    [
        pytest.param({"method": "GET"}, 405, "sent with POST", id="GET"),
        pytest.param({"method": "PUT"}, 405, "sent with POST", id="PUT"),
        pytest.param({"path": "/"}, 404, "requests go to /interpret", id="another path"),
        pytest.param({"headers": {"Content-Type": "text/plain"}}, 415, "text/plain", id="no JSON"),
        pytest.param({"headers": {"Content-Type": ""}}, 415, "of no type", id="no type"),
        pytest.param({"headers": {"Content-Encoding": "gzip"}}, 415, "gzip", id="compressed"),
        pytest.param({"body": b"{"}, 400, "not valid JSON", id="half of an object"),
        pytest.param({"body": b""}, 400, "the text is empty", id="nothing"),
        pytest.param({"body": b"\xff\xfe"}, 400, "UTF-16", id="another encoding"),
        pytest.param({"body": b"[]"}, 400, "ResourceInterpreterContext", id="a list"),
        pytest.param({"body": b"{}"}, 400, "request: is missing", id="no request"),
        pytest.param({"body": b'{"request": {}}'}, 400, "request.uid", id="no uid"),
        pytest.param({"body": b'{"a":1,"a":2}'}, 400, "duplicate key", id="a key twice"),
        pytest.param({"body": b"[" * 100_000}, 400, "nested", id="without bottom"),
        pytest.param({"body": b"x" * 9_000_000}, 413, "8388608 bytes", id="oversize"),
        pytest.param({"body": b"x" * 20_000_000}, 413, "8388608 bytes", id="20 MB"),
        pytest.param({"path": "/interpret?timeout=soon"}, 400, "timeout", id="odd timeout"),
    ],
)
def test_a_request_that_is_none_gets_its_http_code(
    client: Client, options: dict[str, Any], status: int, text: str
) -> None:
    body = options.get("body", json.dumps(request("InterpretReplica")).encode())
    more = {key: value for key, value in options.items() if key != "body"}
    answer = client.send(body, **more)
    assert answer.status == status
    assert text in answer.data.decode()
    assert client.ask("InterpretReplica")["successful"]


def test_a_body_in_chunks_is_read_up_to_the_limit(client: Client) -> None:
    small = json.dumps(request("InterpretReplica")).encode()
    assert client.send(iter([small[:10], small[10:]])).status == 200  # type: ignore[arg-type]
    chunks = (b" " * 100_000 for _each in range(100))
    assert client.send(chunks).status == 413  # type: ignore[arg-type]
    assert client.ask("InterpretReplica")["successful"]


def test_a_charset_and_an_unpacked_body_are_fine(client: Client) -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8", "Content-Encoding": "identity"}
    assert client.post(request("InterpretReplica"), headers=headers)["successful"]
    packed = gzip.compress(b"{}")
    assert client.send(packed, headers={"Content-Encoding": "gzip"}).status == 415


def test_health_is_told_without_a_call(client: Client) -> None:
    answer = client.pool.request("GET", "/healthz")
    assert (answer.status, answer.data) == (200, b"ok\n")


def test_calls_are_counted_and_logs_hold_no_object(server: Server, client: Client) -> None:
    labels = 'code="INTERNAL",method="InterpretReplica",protocol="https"'
    name = f"resource_interpreter_served_total{{{labels}}}"
    before = metrics(server).get(name, 0)
    failing = {**WIDGET, "spec": {"do": "raise", "secret": "hunter2"}}
    body = json.dumps(request("InterpretReplica", failing)).encode()
    client.send(body, headers={"X-Request-Id": "find-me"})
    assert metrics(server)[name] == before + 1
    until = time.monotonic() + 10
    while not any("find-me" in line for line in server.errors):
        assert time.monotonic() < until
    assert not any("hunter2" in line for line in server.errors)


# --- Peers that dawdle, and peers that leave ---


def closed_within(connection: socket.socket, seconds: float) -> bool:
    connection.settimeout(seconds)
    try:
        while connection.recv(1000):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def test_a_peer_that_never_shakes_hands_is_dropped(impatient: Server) -> None:
    with socket.create_connection(("127.0.0.1", impatient.port)) as connection:
        assert closed_within(connection, 5)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"", id="says nothing"),
        pytest.param(b"POST /interpret HTTP/1.1\r\nX: ", id="half of a head"),
    ],
)
def test_a_peer_that_does_not_end_its_head_is_dropped(
    impatient: Server, certificates: Certificates, text: bytes
) -> None:
    context = certificates.client_context()
    with (
        socket.create_connection(("127.0.0.1", impatient.port)) as connection,
        context.wrap_socket(connection, server_hostname="localhost") as tls,
    ):
        tls.sendall(text)
        assert closed_within(tls, 5)


def test_a_head_that_drips_is_dropped(impatient: Server, certificates: Certificates) -> None:
    context = certificates.client_context()
    with (
        socket.create_connection(("127.0.0.1", impatient.port)) as connection,
        context.wrap_socket(connection, server_hostname="localhost") as tls,
    ):
        started = time.monotonic()
        with suppress(ConnectionError, ssl.SSLError):
            while time.monotonic() - started < 10 and not closed_within(tls, 0.05):
                tls.sendall(b"P")
        assert time.monotonic() - started < 5


def test_a_client_that_leaves_in_mid_call_is_no_trouble(server: Server, client: Client) -> None:
    cancelled = 'resource_interpreter_served_total{code="CANCELLED",method="-",protocol="https"}'
    before = metrics(server).get(cancelled, 0)
    slow = {**WIDGET, "spec": {"replicas": 1, "do": "sleep", "seconds": 0.5}}
    body = json.dumps(request("InterpretReplica", slow)).encode()
    for _time in range(3):
        with pytest.raises(urllib3.exceptions.TimeoutError):
            client.send(body, timeout=0.1)
    until = time.monotonic() + 10
    while metrics(server).get(cancelled, 0) < before + 3:
        assert time.monotonic() < until
    assert client.ask("InterpretReplica")["successful"]


def test_ten_thousand_calls_from_32_threads_lose_nothing(client: Client) -> None:
    def ask(number: int) -> int:
        obj = {**WIDGET, "spec": {"replicas": number}}
        replicas: int = client.ask("InterpretReplica", obj)["replicas"]
        return replicas

    with ThreadPoolExecutor(32) as pool:
        assert list(pool.map(ask, range(10_000))) == list(range(10_000))


# --- TLS ---


def test_certificates_are_renewed_under_load(certificates: Certificates, tmp_path: Path) -> None:
    own = Certificates(tmp_path, certificates.authority)
    own.issue()
    with https(own, tmp_path) as server:
        port = server.port

        def ask(number: int) -> int:
            # A connection each: each shakes hands.
            with closing(Client(port, own.client_context())) as client:
                obj = {**WIDGET, "spec": {"replicas": number}}
                replicas: int = client.ask("InterpretReplica", obj)["replicas"]
                return replicas

        def serial() -> int:
            pem = ssl.get_server_certificate(("127.0.0.1", port))
            return hash(pem)

        with ThreadPoolExecutor(8) as pool:
            answers = pool.map(ask, range(300))
            seen = {serial()}
            for _time in range(5):
                own.issue()
                seen.add(serial())
            own.key.write_text("half of a key")
            seen.add(serial())
            assert list(answers) == list(range(300))
        assert len(seen) == 6, "the broken key changed nothing"
        own.issue()
        assert serial() not in seen


@pytest.fixture
def guarded(certificates: Certificates, tmp_path: Path) -> Iterator[Server]:
    told = ("--client-ca", str(certificates.ca), "--allow-client", "karmada.example.com")
    with https(certificates, tmp_path, *told) as server:
        yield server


def test_clients_show_a_certificate_that_is_on_the_list(
    guarded: Server, certificates: Certificates
) -> None:
    allowed = certificates.client_context("karmada.example.com")
    with closing(Client(guarded.port, allowed)) as client:
        assert client.ask("InterpretReplica")["successful"]
    with closing(Client(guarded.port, certificates.client_context("other.example.com"))) as client:
        answer = client.send(json.dumps(request("InterpretReplica")).encode())
        assert answer.status == 403
        assert b"not on the allow-list" in answer.data
    with (
        closing(Client(guarded.port, certificates.client_context())) as client,
        pytest.raises(urllib3.exceptions.HTTPError),
    ):
        client.ask("InterpretReplica")
    stranger = certificates.client_context()
    trustme.CA().issue_cert("karmada.example.com").configure_cert(stranger)
    with (
        closing(Client(guarded.port, stranger)) as client,
        pytest.raises(urllib3.exceptions.HTTPError),
    ):
        client.ask("InterpretReplica")


# --- Size, end of life ---


def test_twenty_megabytes_are_refused_or_answered_as_configured(
    certificates: Certificates, tmp_path: Path
) -> None:
    big = {**WIDGET, "data": {f"k{number}": "v" * 1000 for number in range(20_000)}}
    with (
        https(certificates, tmp_path, "--max-message-bytes", "50000000") as server,
        closing(Client(server.port, certificates.client_context())) as client,
    ):
        response = client.ask("ReviseReplica", big, replicas=3)
        assert patch_of(response) == [{"op": "replace", "path": "/spec/replicas", "value": 3}]


def test_a_stopping_server_finishes_its_calls(certificates: Certificates, tmp_path: Path) -> None:
    slow = {**WIDGET, "spec": {"replicas": 5, "do": "sleep", "seconds": 1}}
    with https(certificates, tmp_path) as server:
        client = Client(server.port, certificates.client_context())
        with closing(client), ThreadPoolExecutor(1) as pool:
            running = pool.submit(client.ask, "InterpretReplica", slow)
            wait_until_busy(client)
            server.process.send_signal(signal.SIGTERM)
            assert running.result()["replicas"] == 5
        assert server.process.wait(20) == 0


def wait_until_busy(client: Client) -> None:
    """Until another call was answered behind the slow one that another thread started."""
    for _time in range(20):
        client.ask("InterpretReplica")


def test_a_draining_server_says_so_and_answers(certificates: Certificates, tmp_path: Path) -> None:
    with https(certificates, tmp_path, "--drain", "3") as server:
        with closing(Client(server.port, certificates.client_context())) as client:
            server.process.send_signal(signal.SIGTERM)
            until = time.monotonic() + 2.5
            while client.pool.request("GET", "/healthz").status != 503:
                assert time.monotonic() < until
            assert client.ask("InterpretReplica")["successful"]
        assert server.process.wait(20) == 0


def test_worker_processes_answer_and_are_replaced(
    certificates: Certificates, tmp_path: Path
) -> None:
    dying = {**WIDGET, "spec": {"replicas": 1, "do": "die"}}
    with (
        https(certificates, tmp_path, "--processes", "2") as server,
        closing(Client(server.port, certificates.client_context())) as client,
    ):
        assert client.ask("InterpretReplica")["replicas"] == 2
        body = json.dumps(request("InterpretReplica", dying)).encode()
        answer = client.send(body)
        assert (answer.status, answer.data) == (
            503,
            b"a worker process ended in mid-call (try again)\n",
        )
        until = time.monotonic() + 30
        while client.send(json.dumps(request("InterpretReplica")).encode()).status != 200:
            assert time.monotonic() < until
        assert client.ask("InterpretReplica")["replicas"] == 2


# --- Our own client tier ---


def configuration(server: Server, certificates: Certificates, **webhook: Any) -> dict[str, Any]:
    bundle = base64.b64encode(certificates.ca.read_bytes()).decode()
    everything = {"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"], "kinds": ["*"]}
    return {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterWebhookConfiguration",
        "metadata": {"name": "hooks"},
        "webhooks": [
            {
                "name": "w",
                "clientConfig": {"url": server.url, "caBundle": bundle},
                "rules": [everything],
                "interpreterContextVersions": ["v1alpha1"],
                **webhook,
            }
        ],
    }


def test_our_own_client_gets_every_answer(server: Server, certificates: Certificates) -> None:
    document = configuration(server, certificates)
    with ResourceInterpreter(webhooks=[document], plugins=None, tiers=("webhook",)) as ri:
        needs = ReplicaRequirements(resource_request={"cpu": "100m"})
        assert ri.get_replicas(WIDGET) == ReplicaResult(2, needs)
        assert ri.get_components(WIDGET) == [Component("a", 1), Component("b", 2)]
        assert ri.revise_replica(WIDGET, 7) == {**WIDGET, "spec": {"replicas": 7}}
        assert ri.retain(WIDGET, {**WIDGET, "spec": {"replicas": 3}})["spec"] == {"replicas": 3}
        items = [{"clusterName": "m"}]
        assert ri.aggregate_status(WIDGET, items)["status"] == {"members": ["m"]}
        assert ri.reflect_status({**WIDGET, "status": {"a": []}}) == {"a": []}
        assert ri.interpret_health({**WIDGET, "status": {"ready": True}}) == Health("Healthy")
        reference = DependentObjectReference("v1", "ConfigMap", "shop", "settings")
        assert ri.get_dependencies(WIDGET) == [reference]
        with pytest.raises(WebhookError, match="the webhook failed with code 501"):
            ri.get_replicas(DEPLOYMENT)


def test_a_webhook_that_is_killed_in_mid_call_is_an_error_and_its_successor_answers(
    certificates: Certificates, tmp_path: Path
) -> None:
    slow = {**WIDGET, "spec": {"replicas": 5, "do": "sleep", "seconds": 30}}
    settings = Settings(webhook_backoff_ms=1)
    with https(certificates, tmp_path) as first:
        document = configuration(first, certificates)
        port = first.port
        ri = ResourceInterpreter(webhooks=[document], plugins=None, settings=settings)
        with ri, ThreadPoolExecutor(1) as pool:
            ri.get_replicas(WIDGET)
            running = pool.submit(ri.get_replicas, slow)
            for _time in range(20):
                ri.get_replicas(WIDGET)
            first.process.kill()
            with pytest.raises(WebhookError, match="cannot be reached") as caught:
                running.result(20)
            assert caught.value.temporary
            with serving(
                *("--http", f"127.0.0.1:{port}", "--plugins", "widgets:Widgets"),
                *("--tls-cert", str(certificates.certificate), "--tls-key", str(certificates.key)),
                folder=tmp_path,
            ) as second:
                second.wait_for("https")
                assert ri.get_replicas(WIDGET).replicas == 2


def test_the_callers_deadline_reaches_the_server(
    server: Server, certificates: Certificates
) -> None:
    document = configuration(server, certificates, timeoutSeconds=30)
    slow = {**WIDGET, "spec": {"replicas": 1, "do": "sleep", "seconds": 5}}
    with ResourceInterpreter(webhooks=[document], plugins=None) as ri:
        started = time.monotonic()
        with pytest.raises(WebhookError, match="did not answer in time"):
            ri.get_replicas(slow, context=HookContext(deadline=started + 0.3))
        assert time.monotonic() - started < 3


# --- The printed configuration ---


def printed(*arguments: str, folder: Path) -> tuple[Any, str]:
    """The document that a server prints, what it says beside, and that it can be used."""
    told = ("--http", "127.0.0.1:0", "--print-configuration", *arguments)
    with serving(*told, folder=folder) as server:
        assert server.process.stdout is not None
        # To the end: standard output ends behind the document, while the server runs.
        text = server.process.stdout.read()
        assert server.process.poll() is None, "".join(server.errors)
        (document,) = [found.value for found in yaml.load_all(text)]
        with ResourceInterpreter(webhooks=[document], plugins=None, tiers=("webhook",)) as ri:
            ri.start()
            claims = {(row.gvk.kind, row.operation.value) for row in ri.kinds()}
            if ("Widget", "GetReplicas") in claims:
                assert ri.get_replicas(WIDGET).replicas == 2
    return document, "".join(server.errors)


PLUGINS = ("--plugins", "widgets:Widgets")


def test_the_printed_configuration_leads_to_the_running_server(tmp_path: Path) -> None:
    (tmp_path / "gadgets.json").write_text(json.dumps(LUA))
    told = ("--self-signed", *PLUGINS, "-c", "gadgets.json")
    document, errors = printed(*told, folder=tmp_path)
    (webhook,) = document["webhooks"]
    assert webhook["clientConfig"]["url"].startswith("https://127.0.0.1:")
    assert webhook["clientConfig"]["url"].endswith("/interpret")
    rules = {tuple(rule["kinds"]): rule for rule in webhook["rules"]}
    assert rules.keys() == {("Widget",), ("Gadget",)}
    assert rules["Widget",] == {
        "operations": [
            "InterpretReplica",
            "InterpretComponent",
            "ReviseReplica",
            "Retain",
            "AggregateStatus",
            "InterpretStatus",
            "InterpretHealth",
            "InterpretDependency",
        ],
        "apiGroups": ["example.com"],
        "apiVersions": ["v1"],
        "kinds": ["Widget"],
    }
    assert rules["Gadget",]["operations"] == [
        "InterpretReplica",
        "InterpretStatus",
        "InterpretHealth",
    ]
    assert "note:" not in errors


def test_tiers_of_the_control_plane_are_served_only_when_asked_for(tmp_path: Path) -> None:
    told = ("--self-signed", *PLUGINS, "--serve-tiers", "native,bundled")
    document, errors = printed(*told, folder=tmp_path)
    rules = document["webhooks"][0]["rules"]
    kinds = {kind for rule in rules for kind in rule["kinds"]}
    assert {"Deployment", "Job", "Widget"} <= kinds
    text = json.dumps(rules)
    assert "*" not in text
    assert "no rule for */*/* of native: only a plugin may claim every kind" in errors


def test_a_plugin_may_claim_every_kind(tmp_path: Path) -> None:
    (tmp_path / "wide.py").write_text(
        "from interpreter import handles\n\n\n"
        '@handles("*", "*")\n'
        "class Wide:\n"
        "    def interpret_health(self, obj):\n"
        "        return True\n\n\n"
        '@handles("*.example.com/*", "Thing")\n'
        "class Suffix:\n"
        "    def interpret_health(self, obj):\n"
        "        return True\n"
    )
    told = ("--self-signed", "--plugins", "wide:Wide", "--plugins", "wide:Suffix")
    document, errors = printed(*told, folder=tmp_path)
    assert document["webhooks"][0]["rules"] == [
        {
            "operations": ["InterpretHealth"],
            "apiGroups": ["*"],
            "apiVersions": ["*"],
            "kinds": ["*"],
        }
    ]
    assert "no rule for *.example.com/*/Thing of plugin:Suffix: rules know no suffix" in errors


def test_the_address_of_the_printed_configuration_can_be_given(
    certificates: Certificates, tmp_path: Path
) -> None:
    url = "https://interpreter.system.svc:8443/ask"
    with serving(
        *("--http", "127.0.0.1:0", "--url", url, *PLUGINS),
        *("--self-signed", "--print-configuration"),
        folder=tmp_path,
    ) as server:
        assert server.process.stdout is not None
        (found,) = yaml.load_all(server.process.stdout.read())
        config: Any = found.value["webhooks"][0]["clientConfig"]
        assert config["url"] == url
        context = ssl.create_default_context(cadata=base64.b64decode(config["caBundle"]).decode())
        (line,) = [line for line in server.errors if "listening on" in line]
        port = int(line.rpartition(":")[2])
        pool = urllib3.HTTPSConnectionPool(
            "127.0.0.1",
            port,
            ssl_context=context,
            server_hostname="interpreter.system.svc",
            assert_hostname="interpreter.system.svc",
        )
        with closing(pool):
            body = json.dumps(request("InterpretReplica")).encode()
            headers = {"Content-Type": "application/json"}
            assert pool.request("POST", "/ask", body=body, headers=headers).status == 200
            assert pool.request("POST", "/interpret", body=body, headers=headers).status == 404


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--http", "nonsense"], "'nonsense' is no address to listen on"),
        (["--http", "127.0.0.1:0", "--serve-tiers", "generic"], "generic is never served"),
        (["--http", "127.0.0.1:0", "--serve-tiers", "luna"], "unknown tier 'luna'"),
        (
            ["--http", "127.0.0.1:0", "--tier", "plugin", "--serve-tiers", "native"],
            "the tier native is not in use",
        ),
        (["--http", "127.0.0.1:0", "--print-configuration"], "needs certificates"),
        (["--http", "127.0.0.1:0", "--self-signed", "--url", "http://x"], "--url must be https://"),
        (["--http", "127.0.0.1:0", "--self-signed", "--tls-cert", "a"], "--self-signed makes what"),
        (["--grpc", "127.0.0.1:0", "--self-signed"], "--self-signed needs --http"),
        (["--grpc", "127.0.0.1:0", "--print-configuration"], "need --http"),
        ([], "give --grpc ADDR or --http ADDR"),
    ],
)
def test_options_that_cannot_be_used_say_why(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    with serving(*arguments, folder=tmp_path) as server:
        assert server.process.wait(30) == 2
        server.stop()
        assert message in "".join(server.errors)


def test_plain_http_is_served_for_a_proxy_that_ends_tls(tmp_path: Path) -> None:
    with serving("--http", "127.0.0.1:0", *PLUGINS, folder=tmp_path) as server:
        address = server.wait_for("http")
        answer = urllib3.request(
            "POST", f"http://{address}/interpret", json=request("InterpretReplica")
        )
        assert answer.json()["response"]["successful"]
