"""What of a serving process is for Karmada: the HTTP listener, and the way to it."""

from __future__ import annotations

import contextlib
import socket
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from interpreter.errors import ConfigurationError
from interpreter.registry import ALL_TIERS
from interpreter.registry.assembly import check_tiers
from interpreter.server.asgi import split_address
from interpreter.server.backend import Backend
from interpreter.server.configuration import Printed, webhook_configuration
from interpreter.server.context_service import CONVENTIONS, served
from interpreter.server.http_listener import DEFAULT_PATH
from interpreter.server.self_signed import SelfSigned, make_certificates

#: Tiers that a control plane cannot have by itself: Python plugins and Lua packs, and the
#: documents that the server was given. Whatever is served comes before the control plane's own.
OWN_TIERS: Final = ("customization", "plugin")
_EVERYWHERE: Final = ("", "0.0.0.0", "::")  # noqa: S104 - addresses that nobody can connect to


@dataclass(frozen=True, slots=True, kw_only=True)
class KarmadaOptions:
    """What a server is told about serving Karmada.

    Attributes:
        address: Address of the HTTP listener.
        serve_tiers: Tiers that are served beside ``OWN_TIERS``.
        url: Address that clients use; None for the listener's.
        authorities: Certificates, PEM, that the server's lead to, for clients.
        print_configuration: Takes the configuration that leads to the running server.
    """

    address: str
    serve_tiers: tuple[str, ...] = ()
    url: str | None = None
    authorities: Path | None = None
    print_configuration: Callable[[Printed], None] | None = None

    def __post_init__(self) -> None:
        """Raises ConfigurationError where the URL is none that a control plane may be told."""
        if self.url is not None and not _is_url(self.url):
            raise ConfigurationError("--url must be https://host[:port][/path]", value=self.url)

    @property
    def tiers(self) -> tuple[str, ...]:
        """Tiers that are served.

        Raises:
            ConfigurationError: A name is unknown, or is that of conventions.
        """
        if CONVENTIONS in self.serve_tiers:
            raise ConfigurationError(
                f"--serve-tiers: {CONVENTIONS} is never served to a control plane",
                hint="its conventions would hide the rules that the control plane has",
            )
        return check_tiers({*OWN_TIERS, *self.serve_tiers})

    @property
    def path(self) -> str:
        """Path of requests: that of the URL, if it has one."""
        given = urlsplit(self.url).path if self.url else ""
        return given if given not in ("", "/") else DEFAULT_PATH

    def check(self, used: Iterable[str], *, secure: bool) -> None:
        """Refuses what would silently serve nothing.

        Args:
            used: Tiers of the interpreter.
            secure: Whether the listener has certificates.

        Raises:
            ConfigurationError: An option cannot be used.
        """
        for tier in set(self.serve_tiers).difference(used):
            if tier in ALL_TIERS:
                raise ConfigurationError(f"--serve-tiers: the tier {tier} is not in use")
        _ = self.tiers
        if self.print_configuration is not None and not secure:
            raise ConfigurationError(
                "--print-configuration needs certificates: Karmada calls https alone",
                hint="give --tls-cert and --tls-key, or --self-signed",
            )

    def client_url(self, address: str) -> str:
        """The URL for clients of a listener.

        Args:
            address: Where it listens, with its real port.
        """
        if self.url is not None:
            parts = urlsplit(self.url)
            return parts._replace(path=self.path).geturl()
        _host, port = split_address(address)
        host = self._names()[0]
        shown = f"[{host}]" if ":" in host else host
        return f"https://{shown}:{port}{self.path}"

    def _names(self) -> list[str]:
        """Names that clients may use, first the one that they are told."""
        host, _port = split_address(self.address)
        names = [urlsplit(self.url).hostname or ""] if self.url else []
        if host in _EVERYWHERE:
            names += [socket.gethostname(), "localhost", "127.0.0.1", "::1"]
        else:
            names.append(host)
        return list(dict.fromkeys(names))

    @contextlib.contextmanager
    def self_signed(self) -> Iterator[SelfSigned]:
        """Certificates for these names, in files that are there as long as the context.

        Raises:
            ConfigurationError: A name is none.
        """
        with tempfile.TemporaryDirectory(prefix="resource-interpreter-") as folder:
            yield make_certificates(Path(folder), self._names())

    def print(self, backend: Backend, address: str, *, chain: Path | None) -> None:
        """Hands out the configuration, where it is wanted.

        Args:
            backend: Whose interpreter answers.
            address: Where the listener listens.
            chain: The server's own chain: what clients trust where no authorities are given.

        Raises:
            ConfigurationError: The authorities cannot be read.
        """
        if self.print_configuration is None:
            return
        source = self.authorities or chain
        try:
            trusted = None if source is None else source.read_bytes()
        except OSError as error:
            raise ConfigurationError(f"cannot read {source}: {error.strerror}") from None
        view = served(backend.interpreter, self.tiers)
        url = self.client_url(address)
        self.print_configuration(webhook_configuration(view, url, authorities=trusted))


def _is_url(text: str) -> bool:
    """Whether the API would take it: names a host, and nothing but port and path beside it."""
    if not text.isascii() or not text.isprintable() or " " in text:
        return False
    try:
        parts = urlsplit(text)
        named = parts.hostname and parts.port != 0
    except ValueError:
        return False
    more = parts.query or parts.fragment or parts.username is not None
    return parts.scheme == "https" and bool(named) and not more
