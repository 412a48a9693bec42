"""Certificates of a server, from files that somebody else renews.

Files are looked at before each handshake, by content: a Kubernetes secret is swapped by a symbolic
link, other tools write in place. What cannot be used (half of a renewal, a key that does not fit)
changes nothing: the last good certificates stay, the failure is logged and counted once.
"""

from __future__ import annotations

import hashlib
import logging
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import grpc

from interpreter.errors import ConfigurationError

_LOGGER = logging.getLogger("interpreter.tls")
#: Times that a set is read again when it changed while it was read.
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Material:
    """One set of certificates that fit each other, PEM.

    Attributes:
        certificate: The server's chain.
        key: Its private key, without a password.
        client_ca: What clients' certificates are checked against; None when clients need none.
        context: The same for ``ssl``: a server-side context.
    """

    certificate: bytes
    key: bytes
    client_ca: bytes | None
    context: ssl.SSLContext


class Certificates:
    """The certificates in three files. Safe to share between threads."""

    def __init__(
        self,
        certificate: Path,
        key: Path,
        *,
        client_ca: Path | None = None,
        on_reload: Callable[[str], None] = lambda _outcome: None,
    ) -> None:
        """Reads the files.

        Args:
            certificate: The server's chain, PEM.
            key: Its private key, PEM, without a password.
            client_ca: CA certificates, PEM: clients must show a certificate of one of them.
            on_reload: Called with ``ok`` or ``failed`` when changed files were read again.

        Raises:
            ConfigurationError: A file cannot be read, or the three do not make a set.
        """
        self._paths = (certificate, key, client_ca)
        self._on_reload = on_reload
        self._lock = threading.Lock()
        try:
            self._fingerprint, self._material = self._load()
        except (OSError, ValueError) as error:
            raise ConfigurationError(
                f"cannot use the certificates: {_problem(error)}",
                hint="PEM files; the key must fit the certificate and have no password",
            ) from None

    def current(self) -> Material:
        """The last good certificates, after a look at the files."""
        with self._lock:
            try:
                seen = _fingerprint(self._read())
            except OSError as error:
                seen = f"unreadable: {_problem(error)}"
            if seen == self._fingerprint:
                return self._material
            # Kept also when it fails: a failure is told once, not at each handshake.
            self._fingerprint = seen
            try:
                self._fingerprint, self._material = self._load()
            except (OSError, ValueError) as error:
                _LOGGER.error(  # noqa: TRY400 - where in ``ssl`` it failed helps nobody
                    "certificates were not reloaded, the old ones stay: %s", _problem(error)
                )
                self._on_reload("failed")
            else:
                _LOGGER.info("certificates were reloaded")
                self._on_reload("ok")
            return self._material

    def grpc_credentials(self) -> grpc.ServerCredentials:
        """Credentials of a gRPC server that follow the files: each handshake asks for them."""
        sent = self.current()

        def fetch() -> grpc.ServerCertificateConfiguration | None:
            nonlocal sent
            material = self.current()
            if material is sent:
                return None
            sent = material
            return _grpc_configuration(material)

        return grpc.dynamic_ssl_server_credentials(
            _grpc_configuration(sent),
            fetch,  # type: ignore[arg-type]  # None is "unchanged"; the stub does not know it
            require_client_authentication=sent.client_ca is not None,
        )

    def ssl_context(self) -> ssl.SSLContext:
        """A server-side context that follows the files: each handshake asks for them."""
        context = _context(self._paths)

        def follow(connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
            # Called in each handshake, also when the client names no server.
            connection.context = self.current().context

        context.sni_callback = follow
        return context

    def _load(self) -> tuple[str, Material]:
        for _attempt in range(_ATTEMPTS):
            before = self._read()
            try:
                context: ssl.SSLContext | None = _context(self._paths)
                problem: Exception | None = None
            except (OSError, ValueError) as error:
                context, problem = None, error
            # ``ssl`` reads files by itself: it must have read what we did.
            if self._read() != before:
                continue
            if context is None:
                raise problem or ValueError("no certificates")
            certificate, key, client_ca = before
            if certificate is None or key is None:
                raise ValueError("no certificate or no key")
            return _fingerprint(before), Material(certificate, key, client_ca, context)
        raise ValueError("the files change all the time")

    def _read(self) -> tuple[bytes | None, ...]:
        return tuple(None if path is None else path.read_bytes() for path in self._paths)


def _fingerprint(contents: tuple[bytes | None, ...]) -> str:
    digest = hashlib.sha256()
    for content in contents:
        digest.update(b"-" if content is None else b"%d:" % len(content) + content)
    return digest.hexdigest()


def _context(paths: tuple[Path, Path, Path | None]) -> ssl.SSLContext:
    certificate, key, client_ca = paths
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # Without this a key with a password would be asked for on the terminal.
    context.load_cert_chain(certificate, key, password=_no_password)
    if client_ca is not None:
        context.load_verify_locations(client_ca)
        context.verify_mode = ssl.CERT_REQUIRED
    return context


def _no_password() -> str:
    raise ValueError("the key has a password")


def _grpc_configuration(material: Material) -> grpc.ServerCertificateConfiguration:
    pair = (material.key, material.certificate)
    return grpc.ssl_server_certificate_configuration([pair], material.client_ca)


def _problem(error: Exception) -> str:
    """What went wrong, with the file where it is known; never a file's content."""
    if isinstance(error, ssl.SSLError):
        return f"{error.reason or error}"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)
