"""HTTP connections that end: of peers that say nothing, or that say it too slowly.

The library waits for ever for the first bytes of a connection and for the end of a request's head.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from typing import Any, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

#: Seconds for a peer to answer that TLS ends. One that keeps an idle connection never does, and a
#: stopping server would wait for it.
_FAREWELL: Final = 0.5


class BoundedServer(uvicorn.Server):
    """A server whose connections have a time for their handshake and for each request's head."""

    def __init__(self, config: uvicorn.Config, *, context: ssl.SSLContext | None, seconds: float):
        """Keeps what it needs.

        Args:
            config: What the library is told.
            context: For TLS; None for plain text.
            seconds: Time of a handshake, and of a request's head.
        """
        super().__init__(config)
        self.listening = asyncio.Event()
        self._context = context
        self._seconds = seconds

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens, and tells so. The library's own gives a handshake a minute."""
        loop = asyncio.get_running_loop()

        def protocol() -> BoundedProtocol:
            return BoundedProtocol(self.config, self.server_state, {}, seconds=self._seconds)

        self.servers = [
            await loop.create_server(
                protocol,
                sock=listening,
                ssl=self._context,
                ssl_handshake_timeout=None if self._context is None else self._seconds,
                ssl_shutdown_timeout=None if self._context is None else _FAREWELL,
                backlog=self.config.backlog,
            )
            for listening in sockets or ()
        ]
        self.started = True
        self.listening.set()


class BoundedProtocol(H11Protocol):
    """One connection.

    The state of its requests holds ``client_names``, the names of its client's certificate, and
    ``abort``, which drops it: closing it would wait for a peer to take what it was sent.
    """

    def __init__(self, *arguments: Any, seconds: float) -> None:
        super().__init__(*arguments)
        self._seconds = seconds
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the clock of the first head."""
        super().connection_made(transport)
        names = client_names(transport.get_extra_info("peercert") or {})
        self.app_state = {"client_names": names, "abort": transport.abort}
        self._watch_head()

    def data_received(self, data: bytes) -> None:
        """Stops the clock when the head is there, and starts it for the next one."""
        super().data_received(data)
        self._watch_head()

    def on_response_complete(self) -> None:
        """Between requests the library's keep-alive timeout counts."""
        super().on_response_complete()
        if self.timeout_keep_alive_task is None:
            self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the clock."""
        self._stop_clock()
        super().connection_lost(exc)

    def _watch_head(self) -> None:
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._stop_clock()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(self._seconds, self.transport.abort)

    def _stop_clock(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


def client_names(certificate: dict[str, Any]) -> tuple[str, ...]:
    """Names of a client's certificate: its subject alternative names, else its common name."""
    names = tuple(str(value) for _kind, value in certificate.get("subjectAltName", ()))
    if names:
        return names
    parts = (part for rdn in certificate.get("subject", ()) for part in rdn)
    return tuple(str(value) for name, value in parts if name == "commonName")
