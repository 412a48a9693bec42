"""Certificates of a server, from files that somebody else renews.

Files are looked at before each handshake, by content: a Kubernetes secret is swapped by a symbolic
link, other tools write in place. What cannot be used (half of a renewal, a key that does not fit)
changes nothing: the last good certificates stay, the failure is logged and counted once.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import ssl
import tempfile
import threading
from collections.abc import Callable, Iterator
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
        #: Fingerprint of the files that are in use, and of those that were found to be unusable.
        self._good = ""
        self._bad: str | None = None
        try:
            self._good, self._material = self._load()
        except _UnusableError as error:
            raise ConfigurationError(
                f"cannot use the certificates: {error}",
                hint="PEM files; the key must fit the certificate and have no password",
            ) from None

    def current(self) -> Material:
        """The last good certificates, after a look at the files."""
        with self._lock:
            seen = self._look()
            if seen == self._good:
                self._bad = None
            elif seen != self._bad:
                self._reload()
            return self._material

    def _reload(self) -> None:
        try:
            self._good, self._material = self._load()
        except _UnusableError as error:
            # Told once, not at each handshake; files that change while they are read are read
            # again at the next one.
            self._bad = error.fingerprint
            _LOGGER.error(  # noqa: TRY400 - where in ``ssl`` it failed helps nobody
                "certificates were not reloaded, the old ones stay: %s", error
            )
            self._on_reload("failed")
        else:
            self._bad = None
            _LOGGER.info("certificates were reloaded")
            self._on_reload("ok")

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
        material = self.current()
        context = _context(material.certificate, material.key, material.client_ca)

        def follow(connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
            # Called in each handshake, also when the client names no server.
            connection.context = self.current().context

        context.sni_callback = follow
        return context

    def _load(self) -> tuple[str, Material]:
        problem = ""
        for _attempt in range(_ATTEMPTS):
            fingerprint = self._look()
            try:
                contents = self._read()
                fingerprint = _fingerprint(contents)
                return fingerprint, _material(contents)
            except (OSError, ValueError) as error:
                problem = _problem(error)
            # Whoever renews them may be at it: one file is new, the next one not yet.
            if self._look() == fingerprint:
                raise _UnusableError(problem, fingerprint)
        raise _UnusableError(problem, None)

    def _look(self) -> str:
        """What tells one state of the files from another."""
        try:
            return _fingerprint(self._read())
        except OSError as error:
            return f"unreadable: {_problem(error)}"

    def _read(self) -> tuple[bytes | None, ...]:
        return tuple(None if path is None else path.read_bytes() for path in self._paths)


class _UnusableError(Exception):
    """Files that do not make a set; the fingerprint is None where they did not hold still."""

    def __init__(self, problem: str, fingerprint: str | None) -> None:
        super().__init__(problem)
        self.fingerprint = fingerprint


def _fingerprint(contents: tuple[bytes | None, ...]) -> str:
    digest = hashlib.sha256()
    for content in contents:
        digest.update(b"-" if content is None else b"%d:" % len(content) + content)
    return digest.hexdigest()


def _material(contents: tuple[bytes | None, ...]) -> Material:
    certificate, key, client_ca = contents
    if certificate is None or key is None:
        raise ValueError("no certificate or no key")
    return Material(certificate, key, client_ca, _context(certificate, key, client_ca))


def _context(certificate: bytes, key: bytes, client_ca: bytes | None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # What is checked must be what is used, so ``ssl``, which knows files alone, reads our copies.
    with _as_file(certificate) as certificate_file, _as_file(key) as key_file:
        # Without this a key with a password would be asked for on the terminal.
        context.load_cert_chain(certificate_file, key_file, password=_no_password)
    if client_ca is not None:
        with _as_file(client_ca) as ca_file:
            context.load_verify_locations(ca_file)
        context.verify_mode = ssl.CERT_REQUIRED
    return context


@contextlib.contextmanager
def _as_file(data: bytes) -> Iterator[str]:
    """A file with such bytes, in memory where the system has that: a key belongs on no disk."""
    if hasattr(os, "memfd_create"):
        with open(os.memfd_create("pem"), "wb") as file:
            file.write(data)
            file.flush()
            yield f"/proc/self/fd/{file.fileno()}"
        return
    # The folder is readable by this user alone.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pem"
        path.write_bytes(data)
        yield str(path)


def _no_password() -> str:
    raise ValueError("the key has a password")


def _grpc_configuration(material: Material) -> grpc.ServerCertificateConfiguration:
    pair = (material.key, material.certificate)
    return grpc.ssl_server_certificate_configuration([pair], material.client_ca)


def _problem(error: Exception) -> str:
    """What went wrong, with the file where it is known; never a file's content."""
    if isinstance(error, ssl.SSLError):
        return error.reason or "a file is no PEM, or the key has a password"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)
