"""Where a webhook is: ``clientConfig`` of a configuration as an address to connect to."""

from __future__ import annotations

import base64
import binascii
import ssl
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from interpreter.api.config import ServiceReference, WebhookClientConfig
from interpreter.errors import InvalidCustomization

#: Port of a service that names none, as in the API's documentation.
SERVICE_PORT: Final = 443
HTTPS: Final = "https"
_SCHEMES: Final = (HTTPS, "grpc", "grpcs", "unix")
_PEM_START: Final = b"-----BEGIN CERTIFICATE-----"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address, and whom to trust there. Equal endpoints share connections.

    Attributes:
        url: As a whole, normalized: ``https://host:443/path``, ``grpc://host:port``,
            ``grpcs://host:port`` or ``unix:/path``.
        scheme: ``https`` for Karmada's protocol; ``grpc``, ``grpcs`` and ``unix`` for our service.
        host: Name or address, without brackets; empty for sockets of the file system.
        port: TCP port, 0 for sockets of the file system.
        path: Path and query of the request; for ``unix`` that of the socket.
        authorities: Certificates in PEM that the peer's must lead to; None for the system's.
    """

    url: str
    scheme: str
    host: str
    port: int
    path: str
    authorities: bytes | None = None


def endpoint_of(config: WebhookClientConfig) -> Endpoint:
    """Reads ``clientConfig``.

    Raises:
        InvalidCustomization: It cannot be used; the path is inside ``clientConfig``.
    """
    authorities = _authorities(config.caBundle)
    if config.service is not None:
        return _of_service(config.service, authorities)
    return _of_url(config.url or "", authorities)


def _of_service(service: ServiceReference, authorities: bytes | None) -> Endpoint:
    """A service by its DNS name: inside the cluster everybody resolves that."""
    for field, text in (("namespace", service.namespace), ("name", service.name)):
        if not _is_label(text):
            raise InvalidCustomization("must be a DNS label", path=f"service.{field}", value=text)
    path = service.path or "/"
    if not path.startswith("/") or not _is_plain(path):
        raise InvalidCustomization("must start with a slash", path="service.path", value=path)
    host = f"{service.name}.{service.namespace}.svc"
    port = service.port or SERVICE_PORT
    return Endpoint(f"https://{host}:{port}{path}", HTTPS, host, port, path, authorities)


def _of_url(url: str, authorities: bytes | None) -> Endpoint:
    if not _is_plain(url):
        raise InvalidCustomization("must be a URL in ASCII without blanks", path="url", value=url)
    scheme, colon, rest = url.partition(":")
    if not colon or scheme not in _SCHEMES:
        raise InvalidCustomization(
            "must start with https://, grpc://, grpcs:// or unix:", path="url", value=url
        )
    if scheme == "unix":
        path = rest.removeprefix("//")
        if not path or path == "/":
            raise InvalidCustomization("must name a socket, as unix:/run/s", path="url", value=url)
        return Endpoint(f"unix:{path}", scheme, "", 0, path)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise InvalidCustomization(f"is no URL: {error}", path="url", value=url) from None
    _check_parts(parts, url)
    if not host:
        raise InvalidCustomization("names no host", path="url", value=url)
    if port is None:
        if scheme == "grpc":
            raise InvalidCustomization("names no port, which grpc:// needs", path="url", value=url)
        port = SERVICE_PORT
    shown = f"[{host}]" if ":" in host else host
    path = (parts.path or "/") if scheme == HTTPS else ""
    trusted = None if scheme == "grpc" else authorities
    return Endpoint(f"{scheme}://{shown}:{port}{path}", scheme, host, port, path, trusted)


def _check_parts(parts: SplitResult, url: str) -> None:
    """What the API server refuses in a webhook's URL, and a path where nothing is below a host."""
    problem = None
    if not url.startswith(f"{parts.scheme}://"):
        problem = "must name a host behind two slashes"
    elif parts.username is not None or parts.password is not None:
        problem = "must not hold a user or password"
    elif parts.fragment or url.endswith("#"):
        problem = "must not have a fragment"
    elif parts.query or url.endswith("?"):
        problem = "must not have a query"
    elif parts.scheme != HTTPS and parts.path not in ("", "/"):
        problem = "must not have a path: the service has none"
    elif parts.port == 0:
        problem = "must not name port 0"
    if problem:
        # The URL is not shown: it may hold a password.
        raise InvalidCustomization(problem, path="url")


def _authorities(bundle: str | None) -> bytes | None:
    """``caBundle``: PEM in base64."""
    if not bundle:
        return None
    try:
        text = base64.b64decode(bundle, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidCustomization(f"is no base64: {error}", path="caBundle") from None
    try:
        # OpenSSL takes an empty bundle for one without complaint.
        if _PEM_START not in text:
            raise ValueError("there is none")
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=text.decode("ascii"))
    except (ssl.SSLError, ValueError) as error:
        raise InvalidCustomization(
            f"holds no certificate in PEM: {error}", path="caBundle"
        ) from None
    return text


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and " " not in text


def _is_label(text: str) -> bool:
    return _is_plain(text) and all(mark not in text for mark in "/:@?#[]%")
