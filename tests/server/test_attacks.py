"""Peers that are slow, silent, gone, rude or too large: others do not notice."""

from __future__ import annotations

import contextlib
import signal
import socket
import struct
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from serving import DEPLOYMENT, PATIENCE, Server, health_of, serving, wait_until

from interpreter.errors import WebhookError
from interpreter.rpc import Client
from interpreter.rpc.v1 import interpreter_pb2 as pb

_DATA, _HEADERS, _RESET, _SETTINGS, _PING, _GOAWAY = 0, 1, 3, 4, 6, 7
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def frame(kind: int, payload: bytes = b"", *, flags: int = 0, stream: int = 0) -> bytes:
    head = struct.pack(">I", len(payload))[1:] + bytes([kind, flags])
    return head + struct.pack(">I", stream) + payload


def literal(name: str, value: str) -> bytes:
    """An HPACK header field, neither indexed nor compressed."""
    return b"\x00" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def open_call(stream: int, method: str = "GetReplicas") -> bytes:
    """The beginning of a call, whose message never comes."""
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": f"/interpreter.v1.ResourceInterpreter/{method}",
        ":authority": "localhost",
        "te": "trailers",
        "content-type": "application/grpc",
    }
    block = b"".join(literal(name, value) for name, value in fields.items())
    return frame(_HEADERS, block, flags=4, stream=stream)


@contextlib.contextmanager
def raw(server: Server) -> Iterator[socket.socket]:
    host, _colon, port = server.grpc.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        yield connection


def kinds_until_end(connection: socket.socket) -> list[int]:
    """Kinds of the frames that come until the peer closes."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while chunk := connection.recv(65536):
            data += chunk
    kinds = []
    while len(data) >= 9:
        kinds.append(data[3])
        data = data[9 + int.from_bytes(data[:3], "big") :]
    return kinds


def serving_calls(server: Server) -> float:
    address = server.listeners["metrics"]
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith("resource_interpreter_serving_calls "):
                return float(line.split()[1])
    return 0.0


def test_calls_whose_message_never_comes_take_no_worker(tmp_path: Path) -> None:
    few = {"RESOURCE_INTERPRETER_SERVE_THREADS": "2"}
    options = ("--max-calls", "4", "--metrics", "127.0.0.1:0")
    with serving(tmp_path, *options, environment=few) as server, raw(server) as slow:
        slow.sendall(_PREFACE + frame(_SETTINGS))
        # Each even says that a message of 100 bytes follows, and sends one.
        for number in range(50):
            stream = 2 * number + 1
            half = b"\x00" + struct.pack(">I", 100) + b"x"
            slow.sendall(open_call(stream) + frame(_DATA, half, stream=stream))
        with Client(server.url) as client:
            for _each in range(20):
                assert client.get_replicas(DEPLOYMENT).replicas == 3
        assert serving_calls(server) == 0
        assert health_of(server.grpc) == 1


def test_a_peer_that_says_nothing_is_hung_up_on(tmp_path: Path) -> None:
    soon = {"RESOURCE_INTERPRETER_SERVE_HANDSHAKE_MS": "300"}
    with serving(tmp_path, environment=soon) as server, raw(server) as silent:
        kinds_until_end(silent)
        assert health_of(server.grpc) == 1


def test_a_half_open_peer_is_hung_up_on(tmp_path: Path) -> None:
    soon = {
        "RESOURCE_INTERPRETER_SERVE_KEEPALIVE_MS": "300",
        "RESOURCE_INTERPRETER_SERVE_KEEPALIVE_TIMEOUT_MS": "300",
    }
    with serving(tmp_path, environment=soon) as server, raw(server) as half_open:
        # It never acknowledges a ping, as a machine that was switched off.
        half_open.sendall(_PREFACE + frame(_SETTINGS) + frame(_SETTINGS, flags=1) + open_call(1))
        assert _PING in kinds_until_end(half_open)
        assert health_of(server.grpc) == 1


def test_a_peer_that_pings_all_the_time_is_sent_away(tmp_path: Path) -> None:
    with serving(tmp_path) as server, raw(server) as rude:
        rude.sendall(_PREFACE + frame(_SETTINGS) + frame(_SETTINGS, flags=1))
        with contextlib.suppress(ConnectionError):
            for number in range(50):
                rude.sendall(frame(_PING, struct.pack(">Q", number)))
        assert _GOAWAY in kinds_until_end(rude)
        assert health_of(server.grpc) == 1


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", id="HTTP/1.1"),
        pytest.param(b"\x16\x03\x01\x02\x00" + b"\x01" * 512, id="TLS"),
        pytest.param(b"\x00" * 4096, id="zeros"),
        pytest.param(_PREFACE + b"\xff" * 4096, id="broken frames"),
    ],
)
def test_garbage_harms_nobody(server: Server, data: bytes) -> None:
    with raw(server) as rude:
        rude.sendall(data)
        kinds_until_end(rude)
    assert health_of(server.grpc) == 1


def big(size: int) -> dict[str, Any]:
    """An object of about so many bytes, which a plugin counts."""
    return {
        "apiVersion": "plugin.example.com/v1",
        "kind": "Widget",
        "spec": {"replicas": 1, "text": "x" * size},
    }


TWENTY = 20_000_000


def test_a_body_of_20_mb_names_the_limit(server: Server) -> None:
    with Client(server.url, max_message_bytes=TWENTY * 2) as client:
        with pytest.raises(WebhookError, match=r"RESOURCE_EXHAUSTED.*8388608") as caught:
            client.get_replicas(big(TWENTY))
        assert not caught.value.temporary
        assert client.get_replicas(DEPLOYMENT).replicas == 3


def test_a_client_names_its_own_limit(server: Server) -> None:
    limit = r"RESOURCE_EXHAUSTED.*8388608"
    with Client(server.url) as client, pytest.raises(WebhookError, match=limit):
        client.get_replicas(big(TWENTY))


def test_a_body_of_20_mb_is_answered_where_it_may_be(tmp_path: Path) -> None:
    limit = str(TWENTY + 10_000)
    with serving(tmp_path, "--max-message-bytes", limit) as server:
        client = Client(server.url, max_message_bytes=int(limit), timeout=PATIENCE)
        with client:
            assert client.get_replicas(big(TWENTY)).replicas == 1
            pruned = client.prune(big(TWENTY))
            assert len(pruned["spec"]["text"]) == TWENTY


def test_an_answer_that_is_too_long_names_the_limit(server: Server) -> None:
    obj = {"apiVersion": "plugin.example.com/v1", "kind": "Big", "spec": {"bytes": 9_000_000}}
    limit = r"RESOURCE_EXHAUSTED.*8388608.*serve_max_message_bytes"
    with Client(server.url) as client, pytest.raises(WebhookError, match=limit):
        client.reflect_status(obj)


def sleeper(folder: Path, number: int) -> bytes:
    obj = (
        '{"apiVersion":"plugin.example.com/v1","kind":"Sleeper",'
        f'"spec":{{"started":"{folder}/started{number}","until":"{folder}/until"}}}}'
    )
    return pb.GetReplicasRequest(object=obj.encode()).SerializeToString()


def test_a_call_whose_client_is_gone_before_it_runs_never_runs(tmp_path: Path) -> None:
    one = {"RESOURCE_INTERPRETER_SERVE_THREADS": "1"}
    with serving(tmp_path, "--metrics", "127.0.0.1:0", environment=one) as server:
        with grpc.insecure_channel(server.grpc) as channel:
            call = channel.unary_unary("/interpreter.v1.ResourceInterpreter/GetReplicas")
            first = call.future(sleeper(tmp_path, 1), timeout=PATIENCE)
            wait_until((tmp_path / "started1").exists)
            second = call.future(sleeper(tmp_path, 2), timeout=PATIENCE)
            wait_until(lambda: serving_calls(server) == 2)
            second.cancel()
            wait_until(lambda: serving_calls(server) == 1)
            (tmp_path / "until").touch()
            assert first.result(PATIENCE)
        wait_until(lambda: serving_calls(server) == 0)
        assert not (tmp_path / "started2").exists()


def test_a_call_whose_deadline_passes_before_it_runs_never_runs(tmp_path: Path) -> None:
    one = {"RESOURCE_INTERPRETER_SERVE_THREADS": "1"}
    with serving(tmp_path, "--metrics", "127.0.0.1:0", environment=one) as server:
        with grpc.insecure_channel(server.grpc) as channel:
            call = channel.unary_unary("/interpreter.v1.ResourceInterpreter/GetReplicas")
            first = call.future(sleeper(tmp_path, 1), timeout=PATIENCE)
            wait_until((tmp_path / "started1").exists)
            with pytest.raises(grpc.RpcError) as caught:
                call(sleeper(tmp_path, 2), timeout=0.2)
            error: Any = caught.value
            assert error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
            wait_until(lambda: serving_calls(server) == 1)
            (tmp_path / "until").touch()
            assert first.result(PATIENCE)
        wait_until(lambda: serving_calls(server) == 0)
        assert not (tmp_path / "started2").exists()


def test_a_client_that_dies_in_mid_call_leaves_nothing_behind(tmp_path: Path) -> None:
    with serving(tmp_path, "--metrics", "127.0.0.1:0") as server:
        with raw(server) as dying:
            message = sleeper(tmp_path, 1)
            data = b"\x00" + struct.pack(">I", len(message)) + message
            dying.sendall(_PREFACE + frame(_SETTINGS) + open_call(1))
            dying.sendall(frame(_DATA, data, flags=1, stream=1))
            wait_until((tmp_path / "started1").exists)
            # As the kernel does for a process that is killed.
            dying.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with Client(server.url) as client:
            assert client.get_replicas(DEPLOYMENT).replicas == 3
        (tmp_path / "until").touch()
        wait_until(lambda: serving_calls(server) == 0)


def test_a_server_that_is_killed_in_mid_call_is_a_temporary_error(tmp_path: Path) -> None:
    with serving(tmp_path) as server, Client(server.url, timeout=PATIENCE) as client:
        obj = {
            "apiVersion": "plugin.example.com/v1",
            "kind": "Sleeper",
            "spec": {"started": str(tmp_path / "started"), "until": str(tmp_path / "until")},
        }
        with ThreadPoolExecutor(1) as threads:
            running = threads.submit(client.get_replicas, obj)
            wait_until((tmp_path / "started").exists)
            started = time.monotonic()
            server.signal(signal.SIGKILL)
            with pytest.raises(WebhookError, match="UNAVAILABLE") as caught:
                running.result(PATIENCE)
            assert time.monotonic() - started < 10
            assert caught.value.temporary


def test_a_server_that_never_answers_is_given_up_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = "{}:{}".format(*silent.getsockname())
        started = time.monotonic()
        with Client(f"grpc://{address}", timeout=0.5) as client:
            with pytest.raises(WebhookError) as caught:
                client.get_replicas(DEPLOYMENT)
            assert caught.value.temporary
        assert time.monotonic() - started < 5


def test_a_client_finds_a_server_that_came_back(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        address = server.grpc
        client = Client(server.url)
        assert client.get_replicas(DEPLOYMENT).replicas == 3
        server.signal(signal.SIGKILL)
        server.wait()
    with client, serving(tmp_path, grpc=address):

        def answered() -> bool:
            try:
                return client.get_replicas(DEPLOYMENT).replicas == 3
            except WebhookError:
                return False

        assert wait_until(answered)
