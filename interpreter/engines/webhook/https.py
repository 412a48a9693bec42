"""Karmada's protocol over HTTPS.

The HTTP library bounds each wait for the network, which a peer that sends a byte a second never
breaks. Sockets here bound the whole call instead: each wait gets what is left of it.
"""

from __future__ import annotations

import math
import ssl
import threading
import time
import uuid
from typing import Any

import urllib3
from urllib3.exceptions import HTTPError
from urllib3.exceptions import SSLError as HTTPSSLError

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.codec import json
from interpreter.engines.webhook.endpoints import Endpoint
from interpreter.engines.webhook.transport import CallFailed, time_left
from interpreter.errors import InvalidObject, WebhookError
from interpreter.rpc.context import read_answer, request_document

#: Idle connections that are kept; more callers at once get connections of their own.
_KEPT_CONNECTIONS = 32
_CHUNK = 64 * 1024
_SHOWN_BODY = 300
_UNAVAILABLE = 503


class HttpsTransport:
    """A pool of connections to one endpoint."""

    def __init__(self, endpoint: Endpoint, *, max_answer_bytes: int) -> None:
        """Reads the certificates; nothing connects yet.

        Args:
            endpoint: Where the webhook is.
            max_answer_bytes: Longest answer that is read.
        """
        self._endpoint = endpoint
        self._max_answer_bytes = max_answer_bytes
        self._pool = urllib3.HTTPSConnectionPool(
            endpoint.host,
            endpoint.port,
            maxsize=_KEPT_CONNECTIONS,
            retries=False,
            ssl_context=_client_context(endpoint),
            headers={
                "Content-Type": "application/json",
                "Accept": "application/json",
                "User-Agent": "resource-interpreter",
            },
        )

    def ask(
        self,
        operation: Operation,
        arguments: tuple[Any, ...],
        *,
        context: HookContext,  # noqa: ARG002 - the protocol does not carry it
        deadline: float,
    ) -> Any:
        """As the protocol of transports says."""
        uid = str(uuid.uuid4())
        body = json.dumps(request_document(operation, arguments, uid=uid)).encode()
        status, answer = self._post(body, deadline)
        if status == _UNAVAILABLE:
            raise CallFailed("unavailable", f"it answered with status {status}{_shown(answer)}")
        if not 200 <= status < 300:
            raise CallFailed("broken", f"it answered with status {status}{_shown(answer)}")
        try:
            document = json.loads(answer)
        except InvalidObject as error:
            problem = f"its answer is no JSON: {error}"
            raise CallFailed("broken", problem) from None
        return read_answer(document, operation, arguments, uid=uid)

    def close(self) -> None:
        """Ends idle connections."""
        self._pool.close()

    def _post(self, body: bytes, deadline: float) -> tuple[int, bytes]:
        left = time_left(deadline)
        # The reference tells webhooks how long it will wait, rounded up to seconds.
        url = f"{self._endpoint.path}?timeout={math.ceil(left)}s"
        # A name may have an address of each family: both must fit the time.
        timeout = urllib3.Timeout(connect=left / 2, read=left)
        _CALL.deadline = deadline
        try:
            response = self._pool.urlopen(
                "POST",
                url,
                body,
                headers=dict(self._pool.headers),
                redirect=False,
                timeout=timeout,
                preload_content=False,
                decode_content=False,
            )
            try:
                return response.status, self._read(response)
            except BaseException:
                # What is left of the answer must not be taken for the next one.
                response.close()
                raise
            finally:
                response.release_conn()
        except (HTTPError, OSError) as error:
            raise _failure(error, deadline) from None
        finally:
            _CALL.deadline = None

    def _read(self, response: urllib3.BaseHTTPResponse) -> bytes:
        parts: list[bytes] = []
        size = 0
        while part := response.read(_CHUNK):
            size += len(part)
            if size > self._max_answer_bytes:
                problem = f"its answer is longer than {self._max_answer_bytes} bytes"
                raise WebhookError(problem)
            parts.append(part)
        return b"".join(parts)


class _Call(threading.local):
    """The deadline of the call that this thread makes, None between calls."""

    deadline: float | None = None


_CALL = _Call()


class _BoundedSocket(ssl.SSLSocket):
    """A socket whose every wait ends with the thread's call."""

    def do_handshake(self, block: bool = False) -> None:
        self._bound()
        super().do_handshake(block)

    def recv_into(self, *arguments: Any, **named: Any) -> int:
        self._bound()
        return super().recv_into(*arguments, **named)

    def recv(self, *arguments: Any, **named: Any) -> bytes:
        self._bound()
        return super().recv(*arguments, **named)

    def send(self, *arguments: Any, **named: Any) -> int:
        self._bound()
        return super().send(*arguments, **named)

    def _bound(self) -> None:
        if _CALL.deadline is not None:
            left = _CALL.deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self.settimeout(left)


def _client_context(endpoint: Endpoint) -> ssl.SSLContext:
    bundle = endpoint.authorities
    context = ssl.create_default_context(cadata=None if bundle is None else bundle.decode())
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.sslsocket_class = _BoundedSocket
    return context


def _failure(error: Exception, deadline: float) -> CallFailed:
    """The library's errors by what they mean: did nobody take the question, or not in time?"""
    text = " ".join(str(error).split())
    if time.monotonic() >= deadline or isinstance(error, urllib3.exceptions.ReadTimeoutError):
        return CallFailed("timeout", "it did not answer in time")
    hung_up = any(
        isinstance(part, (ssl.SSLEOFError, ssl.SSLZeroReturnError)) for part in error.args
    )
    if isinstance(error, HTTPSSLError) and not hung_up:
        # Another try meets the same certificate.
        return CallFailed("broken", f"its certificate or TLS cannot be trusted: {text}")
    return CallFailed("unavailable", f"it cannot be reached: {text}")


def _shown(body: bytes) -> str:
    text = " ".join(body[:_SHOWN_BODY].decode(errors="replace").split())
    return f": {text}" if text else ""
