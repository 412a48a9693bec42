"""What the clients have in common: where the service is, and how long a call may take."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from interpreter.errors import WebhookError
from interpreter.rpc import calling
from interpreter.rpc.calling import DEFAULT_MESSAGE_BYTES, DEFAULT_TIMEOUT


class Connection(ABC):
    """A service that is not called yet."""

    def __init__(
        self,
        url: str,
        *,
        ca: bytes | None = None,
        certificate: bytes | None = None,
        key: bytes | None = None,
        server_name: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        max_message_bytes: int = DEFAULT_MESSAGE_BYTES,
    ) -> None:
        """Opens nothing yet: the first call connects.

        Args:
            url: ``grpc://host:port``, ``grpcs://host[:port]`` (TLS) or ``unix:path``.
            ca: CA certificates for ``grpcs``, PEM; the public ones when None.
            certificate: The client's chain for mutual TLS, PEM; with ``key``.
            key: Its private key, PEM.
            server_name: Name that the server's certificate must have, when it is not the host's.
            timeout: Seconds of each call; the deadline of a context shortens it.
            max_message_bytes: Longest message, either way.

        Raises:
            ConfigurationError: An argument cannot be used.
        """
        self._target = calling.parse_target(
            url,
            ca=ca,
            certificate=certificate,
            key=key,
            server_name=server_name,
            max_message_bytes=max_message_bytes,
        )
        self._timeout = timeout
        self._closed = False
        self._calls: dict[str, Any] = {}
        self._prepare()

    @abstractmethod
    def _prepare(self) -> None:
        """What is left to do for a new client."""

    def _made(self, insecure: Callable[..., Any], secure: Callable[..., Any]) -> Any:
        """The channel, made by the one of grpc's functions that fits the credentials."""
        credentials = self._target.credentials()
        options = self._target.options()
        if credentials is None:
            return insecure(self._target.address, options)
        return secure(self._target.address, credentials, options)

    def _unreachable(self, seconds: float) -> WebhookError:
        """The error for a server that did not answer in time."""
        error = WebhookError(f"no server at {self._target.address} within {seconds:g} s")
        error.temporary = True
        return error
