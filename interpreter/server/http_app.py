"""The application behind the HTTP listener: Karmada's protocol at one path, and ``/healthz``.

HTTP's own errors are answered here with HTTP's status codes; what the protocol can say is said in
a ResourceInterpreterContext with status 200.
"""

from __future__ import annotations

import asyncio
import re
import time
import urllib.parse
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import grpc

from interpreter.errors import InterpreterError
from interpreter.rpc.status import Failure, failure_of
from interpreter.server.backend import Backend
from interpreter.server.calls import ID_KEY, log_call, request_id_of
from interpreter.server.context_service import Answered, answer, http_code
from interpreter.server.logs import REQUEST_ID, log_unexpected
from interpreter.telemetry import SERVED, SERVED_BYTES, SERVED_SECONDS

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

#: The longest ``timeoutSeconds`` of a webhook: nobody waits longer.
LONGEST_CALL: Final = 30.0
#: Seconds for a request's body, and for taking an answer: as long as anybody waits for a call.
_TRANSFER = 30.0
#: Bytes of a refused body that are taken before the connection is closed.
_DISCARDED = 64 * 1024 * 1024
_UNAVAILABLE = 503
_PROTOCOL = "https"
_DURATION = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)(ms|s|m)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}
#: Names of the gRPC statuses for refusals of HTTP: one set of codes in metrics and logs.
_CODES = {
    400: grpc.StatusCode.INVALID_ARGUMENT,
    403: grpc.StatusCode.PERMISSION_DENIED,
    404: grpc.StatusCode.NOT_FOUND,
    405: grpc.StatusCode.UNIMPLEMENTED,
    408: grpc.StatusCode.DEADLINE_EXCEEDED,
    413: grpc.StatusCode.RESOURCE_EXHAUSTED,
    415: grpc.StatusCode.INVALID_ARGUMENT,
    503: grpc.StatusCode.RESOURCE_EXHAUSTED,
    504: grpc.StatusCode.DEADLINE_EXCEEDED,
}


class _Refused(Exception):
    """A request that HTTP itself answers."""

    def __init__(
        self, status: int, text: str, *, reason: str, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(text)
        self.status = status
        self.headers = headers or {}
        self.failure = Failure(_CODES[status], text, reason)


class _ClientGone(Exception):
    """The client hung up before it had an answer."""


@dataclass(slots=True)
class ContextApp:
    """Answers requests, as an ASGI application.

    Attributes:
        backend: Where calls run.
        path: Path that is answered.
        tiers: Tiers that are served.
        allowed_clients: Names that a client's certificate may have; empty for everybody.
        draining: Whether ``/healthz`` says that the server stops soon.
    """

    backend: Backend
    path: str
    tiers: tuple[str, ...]
    allowed_clients: frozenset[str] = frozenset()
    draining: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            return
        if scope["path"] == "/healthz" and scope["method"] in ("GET", "HEAD"):
            status, text = (503, b"draining\n") if self.draining else (200, b"ok\n")
            await _respond(send, status, text, {"content-type": "text/plain"})
            return
        request_id = request_id_of(
            (key.decode("latin-1"), value.decode("latin-1")) for key, value in scope["headers"]
        )
        REQUEST_ID.set(request_id)
        started = time.perf_counter()
        headers = {ID_KEY: request_id}
        received = 0
        done = Answered(500, b"the server failed; its log tells more\n")
        code = "CANCELLED"
        try:
            try:
                deadline = self._check(scope)
                body = await self._read(scope, receive)
                received = len(body)
                done = await self._answer(body, deadline, request_id, receive)
            except _Refused as refused:
                text = f"{refused.failure.message}\n".encode()
                done = Answered(refused.status, text, failure=refused.failure)
                headers |= refused.headers
            code = done.code
            kind = "application/json" if done.status == 200 else "text/plain; charset=utf-8"
            async with asyncio.timeout(_TRANSFER):
                await _respond(send, done.status, done.body, {"content-type": kind, **headers})
        except (_ClientGone, TimeoutError):
            # Nobody takes an answer.
            code = "CANCELLED"
            scope["state"]["abort"]()
        finally:
            method = done.operation or "-"
            seconds = time.perf_counter() - started
            telemetry = self.backend.telemetry
            telemetry.add(SERVED, (_PROTOCOL, method, code))
            telemetry.observe(SERVED_SECONDS, (_PROTOCOL, method), value=seconds)
            telemetry.add(SERVED_BYTES, (_PROTOCOL, "received"), received)
            telemetry.add(SERVED_BYTES, (_PROTOCOL, "sent"), len(done.body))
            log_call(method, code, seconds, done.failure)

    def _check(self, scope: Scope) -> float:
        """What can be said before the body is there; returns the deadline of the call."""
        if scope["path"] != self.path:
            raise _Refused(404, f"nothing is here; requests go to {self.path}", reason="NO_PATH")
        if scope["method"] != "POST":
            raise _Refused(
                405, "requests are sent with POST", reason="NO_METHOD", headers={"allow": "POST"}
            )
        names = scope["state"].get("client_names", ())
        if self.allowed_clients and self.allowed_clients.isdisjoint(names):
            raise _Refused(
                403,
                "the client's certificate is not on the allow-list",
                reason="CLIENT_NOT_ALLOWED",
                headers=_CLOSE,
            )
        kind = _header(scope, b"content-type").partition(";")[0].strip().lower()
        coding = _header(scope, b"content-encoding").strip().lower()
        if kind != "application/json" or coding not in ("", "identity"):
            raise _Refused(
                415,
                f"the content is {kind or 'of no type'} {coding}".rstrip()
                + ", but must be application/json without coding",
                reason="NO_JSON",
                headers=_CLOSE,
            )
        if self.backend.full:
            raise _Refused(
                503,
                self.backend.threads.limit_text,
                reason="TOO_MANY_CALLS",
                headers={"retry-after": "1", **_CLOSE},
            )
        return time.monotonic() + _timeout(scope["query_string"].decode("latin-1"))

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        """The body, which is never kept beyond the limit."""
        most = self.backend.settings.serve_max_message_bytes
        too_large = _Refused(
            413,
            f"the request has more than {most} bytes (serve_max_message_bytes)",
            reason="MESSAGE_TOO_LARGE",
            headers=_CLOSE,
        )
        length = _header(scope, b"content-length")
        refused = length.isdecimal() and int(length[:20]) > most
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(_TRANSFER):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _ClientGone
                    part = message.get("body", b"")
                    size += len(part)
                    refused = refused or size > most
                    if refused:
                        parts.clear()
                    else:
                        parts.append(part)
                    # A client that still sends does not look for an answer, and would be cut off
                    # without one: what is refused is taken, within reason, and thrown away.
                    if not message.get("more_body", False) or size > most + _DISCARDED:
                        break
        except TimeoutError:
            raise _Refused(
                408,
                f"the request took longer than {_TRANSFER:g} s to arrive",
                reason="SLOW_REQUEST",
                headers=_CLOSE,
            ) from None
        if refused:
            raise too_large
        return b"".join(parts)

    async def _answer(
        self, body: bytes, deadline: float, request_id: str, receive: Receive
    ) -> Answered:
        """Runs the call; one whose client hangs up or gives up is not waited for."""
        call = asyncio.ensure_future(
            self.backend.run(answer, body, self.tiers, deadline, request_id)
        )
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            left = max(0.0, deadline - time.monotonic())
            await asyncio.wait((call, gone), timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if call.done():
                return _result(call)
            if gone.done():
                raise _ClientGone
            raise _Refused(504, "the call took longer than its timeout", reason="DEADLINE_EXCEEDED")
        finally:
            call.cancel()
            gone.cancel()


_CLOSE: Final = {"connection": "close"}


def _result(call: asyncio.Future[Answered]) -> Answered:
    """What came of a call; where it could not be run that is for HTTP to say."""
    try:
        return call.result()
    except Exception as error:
        log_unexpected(error, _PROTOCOL)
        failure = failure_of(error)
        temporary = isinstance(error, InterpreterError) and error.temporary
        status = _UNAVAILABLE if temporary else http_code(failure)
        return Answered(status, f"{failure.message}\n".encode(), failure=failure)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _header(scope: Scope, name: bytes) -> str:
    values: Iterable[bytes] = (value for key, value in scope["headers"] if key == name)
    return next(iter(values), b"").decode("latin-1")


def _timeout(query: str) -> float:
    """Seconds of the query's ``timeout``, as the reference sends it: ``timeout=10s``."""
    text = dict(urllib.parse.parse_qsl(query)).get("timeout")
    if text is None:
        return LONGEST_CALL
    match = _DURATION.fullmatch(text)
    if match is None:
        raise _Refused(
            400, "timeout must be a duration such as 10s", reason="NO_DURATION", headers=_CLOSE
        )
    return min(LONGEST_CALL, float(match[1]) * _UNITS[match[2]])


async def _respond(send: Send, status: int, body: bytes, headers: dict[str, str]) -> None:
    pairs = {"content-length": str(len(body)), **headers}
    encoded = [(key.encode("latin-1"), value.encode("latin-1")) for key, value in pairs.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})
