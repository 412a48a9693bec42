"""The HTTP listener: Karmada's protocol, over TLS."""

from __future__ import annotations

import asyncio
import socket
import threading
from dataclasses import dataclass
from typing import Final

import uvicorn

from interpreter.errors import ConfigurationError
from interpreter.rpc.tls import Certificates
from interpreter.server.backend import Backend
from interpreter.server.http_app import ContextApp
from interpreter.server.http_protocol import BoundedServer
from interpreter.server.loop import LoopThread

#: Path of the protocol where nobody says otherwise.
DEFAULT_PATH: Final = "/interpret"
#: Seconds for which a connection is kept without a request. Clients of Go keep theirs for 90.
_KEEP_ALIVE = 120
_BACKLOG = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpOptions:
    """What an HTTP listener is told.

    Attributes:
        address: ``host:port``, ``[ipv6]:port`` or ``:port``; port 0 takes a free one.
        tiers: Tiers that are served.
        path: Path that is answered.
        certificates: For TLS; None for plain text.
        allowed_clients: Names that a client's certificate may have; empty for everybody.
    """

    address: str
    tiers: tuple[str, ...]
    path: str = DEFAULT_PATH
    certificates: Certificates | None = None
    allowed_clients: tuple[str, ...] = ()


class HttpListener:
    """Answers Karmada's protocol at one address."""

    def __init__(self, options: HttpOptions, backend: Backend) -> None:
        """Opens nothing yet.

        Args:
            options: What it is told.
            backend: Where calls run.

        Raises:
            ConfigurationError: The address is none.
        """
        self.name = "http" if options.certificates is None else "https"
        self.address = options.address
        self._host, self._port = split_address(options.address)
        self._options = options
        self._app = ContextApp(
            backend, options.path, options.tiers, frozenset(options.allowed_clients)
        )
        self._seconds = backend.settings.serve_handshake_ms / 1000
        self._server: BoundedServer | None = None
        self._thread: LoopThread | None = None
        self._ended = threading.Event()

    def start(self) -> None:
        """Listens and answers.

        Raises:
            ConfigurationError: The address cannot be used.
        """
        listening = self._bind()
        certificates = self._options.certificates
        config = uvicorn.Config(
            self._app,
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE,
            backlog=_BACKLOG,
        )
        context = None if certificates is None else certificates.ssl_context()
        self._server = BoundedServer(config, context=context, seconds=self._seconds)
        self._thread = LoopThread(self.name)
        started = threading.Event()
        self._thread.start(self._serve(self._server, listening, started))
        started.wait()

    def drain(self) -> None:
        """``/healthz`` says so from now on."""
        self._app.draining = True

    def stop_accepting(self) -> None:
        """Closes the listening socket and idle connections; calls that run go on."""
        if self._server is not None:
            self._server.should_exit = True

    def stop(self, grace: float) -> None:
        """Waits for calls that run; those that take longer than ``grace`` seconds are cut off."""
        if self._thread is None or self._server is None:
            return
        self.stop_accepting()
        self._ended.wait(grace)
        self._thread.run(self._cut_off(self._server))
        self._thread.close()
        self._thread = self._server = None

    async def _serve(
        self, server: BoundedServer, listening: socket.socket, started: threading.Event
    ) -> None:
        # The socket listens before anything is announced.
        listening.listen(_BACKLOG)
        started.set()
        try:
            await server.serve([listening])
        finally:
            self._ended.set()

    async def _cut_off(self, server: BoundedServer) -> None:
        server.force_exit = True
        for connection in list(server.server_state.connections):
            connection.transport.abort()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _bind(self) -> socket.socket:
        try:
            if self._host:
                found = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
                listening = _bound(found[0][0], found[0][4])
            else:
                listening = _bind_everywhere(self._port)
        except OSError as error:
            raise ConfigurationError(
                f"cannot listen on {self._options.address}: {error.strerror or error}"
            ) from None
        port = listening.getsockname()[1]
        host = f"[{self._host}]" if ":" in self._host else self._host
        self.address = f"{host or '[::]'}:{port}"
        return listening


def _bind_everywhere(port: int) -> socket.socket:
    if socket.has_dualstack_ipv6():
        listening = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
        listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        return _bind_to(listening, ("::", port))
    return _bound(socket.AF_INET, ("0.0.0.0", port))  # noqa: S104 - what ":port" asks for


def _bound(family: int, place: tuple[object, ...]) -> socket.socket:
    return _bind_to(socket.socket(family, socket.SOCK_STREAM), place)


def _bind_to(listening: socket.socket, place: tuple[object, ...]) -> socket.socket:
    """Binds; a port that another server has is an error, never shared."""
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setblocking(False)
        listening.bind(place)
    except BaseException:
        listening.close()
        raise
    return listening


def split_address(address: str) -> tuple[str, int]:
    """Host, empty for all, and port.

    Raises:
        ConfigurationError: It is no address.
    """
    host, colon, port = address.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    bare = host[1:-1] if bracketed else host
    usable = colon and port.isascii() and port.isdecimal() and int(port) <= 65535
    if not usable or (":" in bare and not bracketed):
        raise ConfigurationError(
            f"{address!r} is no address to listen on",
            hint="host:port, [ipv6]:port or :port; port 0 takes a free one",
        )
    return bare, int(port)
