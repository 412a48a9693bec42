"""The HTTP listener: Karmada's protocol, over TLS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from interpreter.rpc.tls import Certificates
from interpreter.server.asgi import AsgiListener
from interpreter.server.backend import Backend
from interpreter.server.http_app import ContextApp

#: Path of the protocol where nobody says otherwise.
DEFAULT_PATH: Final = "/interpret"


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


class HttpListener(AsgiListener):
    """Answers Karmada's protocol at one address."""

    def __init__(self, options: HttpOptions, backend: Backend, *, grace_seconds: float) -> None:
        """Opens nothing yet.

        Args:
            options: What it is told.
            backend: Where calls run.
            grace_seconds: Seconds that calls have to end.

        Raises:
            ConfigurationError: The address is none.
        """
        self._app = ContextApp(
            backend, options.path, options.tiers, frozenset(options.allowed_clients)
        )
        certificates = options.certificates
        super().__init__(
            self._app,
            options.address,
            name="http" if certificates is None else "https",
            context=None if certificates is None else certificates.ssl_context(),
            grace_seconds=grace_seconds,
            peer_seconds=backend.settings.serve_handshake_ms / 1000,
        )

    def drain(self) -> None:
        """``/healthz`` says so from now on."""
        self._app.draining = True
