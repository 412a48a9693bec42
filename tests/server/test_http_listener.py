"""The HTTP listener in this process: peers that dawdle with a body, and a server that is full."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Any

import pytest
import urllib3
from http_server import WIDGET, request

from interpreter import Settings
from interpreter.server import http_app
from interpreter.server.backend import Backend, InterpreterSpec
from interpreter.server.http_listener import HttpListener, HttpOptions
from interpreter.server.http_protocol import client_names
from interpreter.telemetry import SERVED

BODY = json.dumps(request("InterpretReplica")).encode()
HEAD = (
    "POST /interpret HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    f"Content-Length: {len(BODY)}\r\n\r\n"
).encode()


@pytest.fixture
def backend() -> Iterator[Backend]:
    settings = Settings(serve_max_calls=1, serve_handshake_ms=500)
    with closing(Backend(InterpreterSpec(settings=settings))) as backend:
        yield backend


@pytest.fixture
def listener(backend: Backend) -> Iterator[HttpListener]:
    options = HttpOptions(address="127.0.0.1:0", tiers=("plugin", "customization"))
    listener = HttpListener(options, backend, grace_seconds=1)
    listener.start()
    yield listener
    listener.stop(1)


def connected(listener: HttpListener) -> socket.socket:
    host, _colon, port = listener.address.rpartition(":")
    connection = socket.create_connection((host, int(port)))
    connection.settimeout(10)
    return connection


def everything(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(10_000):
        parts.append(part)
    return b"".join(parts)


def test_a_body_that_does_not_end_is_answered_with_408(
    listener: HttpListener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_app, "_TRANSFER", 0.2)
    with connected(listener) as connection:
        connection.sendall(HEAD + BODY[:10])
        answer = everything(connection)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"took longer than 0.2 s to arrive" in answer


def test_a_client_that_takes_no_answer_is_dropped(
    listener: HttpListener, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_app, "_TRANSFER", 0.2)
    with connected(listener) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        # Pipelined requests with long answers that nobody reads fill every buffer on the way.
        body = BODY.replace(b'"uid": "', b'"uid": "' + b"u" * 500_000)
        head = HEAD.replace(str(len(BODY)).encode(), str(len(body)).encode())
        with pytest.raises(ConnectionError):
            connection.sendall((head + body) * 100)
    codes = {code for _protocol, _method, code in backend.telemetry.snapshot()[SERVED.name]}
    assert "CANCELLED" in codes


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"hello\r\n\r\n", id="no HTTP"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", id="TLS where none is"),
        pytest.param(b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", id="an odd length"),
        pytest.param(b"GET / HTTP/1.1\r\nX: " + b"y" * 100_000, id="a head without end"),
    ],
)
def test_what_is_no_http_is_refused(listener: HttpListener, text: bytes) -> None:
    with connected(listener) as connection:
        connection.sendall(text)
        # It may be cut off while it still sends.
        with suppress(ConnectionResetError):
            assert everything(connection)[:13] in (b"HTTP/1.1 400 ", b"")
    assert post(listener).status == 200


def post(listener: HttpListener) -> urllib3.BaseHTTPResponse:
    headers = {"Content-Type": "application/json"}
    return urllib3.request(
        "POST", f"http://{listener.address}/interpret", body=BODY, headers=headers, retries=False
    )


def test_a_full_server_says_when_to_come_back(listener: HttpListener, backend: Backend) -> None:
    free = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        running = backend.threads.submit(free.wait)
        answer = pool.submit(post, listener).result()
        free.set()
        running.result()
    assert answer.status == 503
    assert answer.headers["retry-after"] == "1"
    assert b"serve_max_calls" in answer.data
    assert post(listener).status == 200


def test_a_listener_that_was_stopped_gives_its_port_back(backend: Backend) -> None:
    options = HttpOptions(address="127.0.0.1:0", tiers=("plugin",))
    first = HttpListener(options, backend, grace_seconds=1)
    first.start()
    address = first.address
    idle = connected(first)
    first.stop(1)
    again = HttpListener(HttpOptions(address=address, tiers=("plugin",)), backend, grace_seconds=1)
    again.start()
    assert post(again).status == 200
    again.stop(1)
    idle.close()


@pytest.mark.parametrize(
    ("certificate", "names"),
    [
        ({}, ()),
        (
            {
                "subject": ((("commonName", "a"),),),
                "subjectAltName": (("DNS", "b.example.com"), ("IP Address", "10.0.0.1")),
            },
            ("b.example.com", "10.0.0.1"),
        ),
        ({"subject": ((("organizationName", "o"),), (("commonName", "a"),))}, ("a",)),
    ],
)
def test_names_of_a_client_are_its_alternative_names_else_its_common_name(
    certificate: dict[str, Any], names: tuple[str, ...]
) -> None:
    assert client_names(certificate) == names


def test_the_object_of_these_tests_is_nobodys(listener: HttpListener) -> None:
    response = json.loads(post(listener).data)["response"]
    assert response["status"]["code"] == 501
    assert WIDGET["kind"] in response["status"]["message"]
