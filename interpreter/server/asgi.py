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
from interpreter.server.loop import LoopThread

_BACKLOG = 512
#: Seconds beyond the grace until a connection that does not end is dropped.
_LAST = 1.0


class _Server(uvicorn.Server):
    """A uvicorn server that tells when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()


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
    ) -> None:
        """Opens nothing yet.

        Args:
            app: The application.
            address: ``host:port``, ``[ipv6]:port`` or ``:port``; port 0 takes a free one.
            name: Its name in messages and in the ready file.
            context: For TLS; None for plain text.
            grace_seconds: Seconds that calls have to end.

        Raises:
            ConfigurationError: The address is none.
        """
        self.name = name
        self.address = address
        self._where = split_address(address)
        self._config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=max(1, round(grace_seconds)),
        )
        self._context = context
        self._server: _Server | None = None
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
        self._thread.run(self._server.listening.wait())

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
        self._thread.close()
        self._server = self._thread = self._ended = None

    async def _make(self) -> _Server:
        config = self._config
        config.load()
        config.ssl = self._context
        return _Server(config)

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
