"""A listener for ASGI applications: uvicorn in a thread of its own."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import socket
import ssl
from typing import Any

import uvicorn

from interpreter.errors import ConfigurationError
from interpreter.server.http_protocol import BoundedServer
from interpreter.server.loop import LoopThread
from interpreter.settings import DEFAULTS

_BACKLOG = 512
#: Seconds for which a connection is kept without a request. Clients of Go keep theirs for 90.
_KEEP_ALIVE = 120
#: Seconds beyond the grace until a connection that does not end is dropped.
_LAST = 1.0


class AsgiListener:
    """Answers HTTP/1.1 at one address with an ASGI application."""

    def __init__(
        self,
        app: Any,
        address: str,
        *,
        name: str,
        context: ssl.SSLContext | None = None,
        grace_seconds: float,
        peer_seconds: float = DEFAULTS.serve_handshake_ms / 1000,
    ) -> None:
        """Opens nothing yet.

        Args:
            app: The application.
            address: ``host:port``, ``[ipv6]:port`` or ``:port``; port 0 takes a free one.
            name: Its name in messages and in the ready file.
            context: For TLS; None for plain text.
            grace_seconds: Seconds that calls have to end.
            peer_seconds: Seconds that a peer has for its handshake, and for each request's head.

        Raises:
            ConfigurationError: The address is none.
        """
        self.name = name
        self.address = address
        self._where = split_address(address)
        self._config = uvicorn.Config(
            app,
            interface="asgi3",
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=max(1, round(grace_seconds)),
        )
        self._context = context
        self._peer_seconds = peer_seconds
        self._server: BoundedServer | None = None
        self._thread: LoopThread | None = None
        self._ended: concurrent.futures.Future[None] | None = None

    def start(self) -> None:
        """Listens and answers.

        Raises:
            ConfigurationError: The address cannot be used.
        """
        listening = self._listen()
        host, port = listening.getsockname()[:2]
        self.address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._thread = LoopThread(self.name)
        self._server = self._thread.run(self._make())
        serving = self._server.serve(sockets=[listening])
        self._ended = asyncio.run_coroutine_threadsafe(serving, self._thread.loop)
        self._thread.run(_listening(self._server, self._ended))

    def drain(self) -> None:
        """Nothing: what an application says of itself is its own affair."""

    def stop_accepting(self) -> None:
        """Takes no more connections; calls that run go on."""
        if self._server is not None:
            self._server.should_exit = True

    def stop(self, grace: float) -> None:
        """Waits up to ``grace`` seconds for calls that run, and ends."""
        if self._server is None or self._thread is None or self._ended is None:
            return
        self._server.should_exit = True
        with contextlib.suppress(concurrent.futures.TimeoutError):
            self._ended.result(grace)
        self._server.force_exit = True
        with contextlib.suppress(concurrent.futures.TimeoutError):
            self._ended.result(_LAST)
        self._thread.run(_cut_off(self._server))
        self._thread.close()
        self._server = self._thread = self._ended = None

    async def _make(self) -> BoundedServer:
        return BoundedServer(self._config, context=self._context, seconds=self._peer_seconds)

    def _listen(self) -> socket.socket:
        host, port = self._where
        try:
            family, kind, protocol, _name, where = socket.getaddrinfo(
                host or "::", port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            listening = socket.socket(family, kind, protocol)
            try:
                # A restart must not wait for connections of its predecessor; a second server on
                # the same port is refused all the same.
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6 and not host:
                    listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
                listening.bind(where)
                listening.listen(_BACKLOG)
            except BaseException:
                listening.close()
                raise
        except OSError as error:
            raise ConfigurationError(
                f"cannot listen on {self.address}: {error.strerror or error}"
            ) from None
        return listening


async def _listening(server: BoundedServer, ended: concurrent.futures.Future[None]) -> None:
    """Waits until a server listens, or raises what it ended with."""
    end = asyncio.wrap_future(ended)
    listening = asyncio.ensure_future(server.listening.wait())
    await asyncio.wait((listening, end), return_when=asyncio.FIRST_COMPLETED)
    listening.cancel()
    if end.done():
        end.result()


async def _cut_off(server: BoundedServer) -> None:
    """Drops connections and whatever still works for them."""
    for connection in list(server.server_state.connections):
        connection.transport.abort()
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def split_address(address: str) -> tuple[str, int]:
    """Host (empty for all) and port of ``host:port``, ``[ipv6]:port`` or ``:port``.

    Raises:
        ConfigurationError: It is none of them.
    """
    host, colon, port = address.rpartition(":")
    if not colon or not port.isascii() or not port.isdecimal() or int(port) > 65535:
        raise ConfigurationError(
            f"{address!r} is no address to listen on",
            hint="host:port, [ipv6]:port or :port; port 0 takes a free one",
        )
    return host.removeprefix("[").removesuffix("]"), int(port)
