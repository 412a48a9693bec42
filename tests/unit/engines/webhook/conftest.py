"""Real webhooks on loopback: an HTTPS server that does what a test says, and raw sockets."""

from __future__ import annotations

import base64
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import trustme

#: What a test's webhook does with a request's document and path: status and body.
Behaviour = Callable[[dict[str, Any], str], tuple[int, bytes]]


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


def bundle_of(authority: trustme.CA) -> str:
    return base64.b64encode(authority.cert_pem.bytes()).decode()


def server_context(authority: trustme.CA, *names: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*(names or ("localhost", "127.0.0.1"))).configure_cert(context)
    return context


class WebhookServer:
    """A webhook over HTTPS whose behaviour can change while it runs."""

    def __init__(self, context: ssl.SSLContext, port: int = 0) -> None:
        self.behaviour: Behaviour = lambda document, path: succeed(document, healthy=True)
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.peers: set[Any] = set()
        self.sockets: list[socket.socket] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                document = json.loads(body)
                outer.requests.append((self.path, document))
                outer.peers.add(self.client_address)
                status, answer = outer.behaviour(document, self.path)
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *arguments: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def process_request(self, request: Any, client_address: Any) -> None:
                outer.sockets.append(request)
                super().process_request(request, client_address)

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # clients of these tests hang up

        self._server = Server(("127.0.0.1", port), Handler)
        self._server.socket = context.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}/interpret"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        for connection in self.sockets:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._thread.join()


def succeed(document: dict[str, Any], **response: Any) -> tuple[int, bytes]:
    uid = document["request"]["uid"]
    return 200, json.dumps({"response": {"uid": uid, "successful": True, **response}}).encode()


@pytest.fixture
def server(authority: trustme.CA) -> Iterator[WebhookServer]:
    with closing(WebhookServer(server_context(authority))) as server:
        yield server


class RawPeer:
    """A listener whose every connection is given to a function, in a thread of its own."""

    def __init__(self, serve: Callable[[socket.socket, threading.Event], None]) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.over = threading.Event()
        self.connections = 0
        self._serve = serve
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept)
        self._accepting.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _address = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            thread = threading.Thread(target=self._run, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _run(self, connection: socket.socket) -> None:
        # The client may hang up.
        with closing(connection), suppress(OSError):
            self._serve(connection, self.over)

    def close(self) -> None:
        self.over.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepting.join()
        for thread in self._threads:
            thread.join()


@pytest.fixture
def raw_peer() -> Iterator[Callable[..., RawPeer]]:
    peers: list[RawPeer] = []

    def make(serve: Callable[[socket.socket, threading.Event], None]) -> RawPeer:
        peers.append(RawPeer(serve))
        return peers[-1]

    yield make
    for peer in peers:
        peer.close()


def configuration(
    url: str,
    bundle: str | None = None,
    *,
    name: str = "hooks",
    operations: list[str] | None = None,
    on_error: str | None = None,
    **webhook: Any,
) -> dict[str, Any]:
    """A configuration with one webhook ``<name>/w`` for example.com/v1 Widget."""
    config = {"url": url} if bundle is None else {"url": url, "caBundle": bundle}
    rule = {
        "operations": operations or ["*"],
        "apiGroups": ["example.com"],
        "apiVersions": ["v1"],
        "kinds": ["Widget"],
    }
    annotations = {} if on_error is None else {"resource-interpreter.io/on-error": on_error}
    return {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterWebhookConfiguration",
        "metadata": {"name": name, "annotations": annotations},
        "webhooks": [
            {
                "name": "w",
                "clientConfig": config,
                "rules": [rule],
                "interpreterContextVersions": ["v1alpha1"],
                **webhook,
            }
        ],
    }


WIDGET: dict[str, Any] = {
    "apiVersion": "example.com/v1",
    "kind": "Widget",
    "metadata": {"name": "w", "namespace": "shop"},
    "spec": {"replicas": 2},
}
