"""Around each call of our service: who may call, request ids, errors, metrics and logs.

The one place where errors become statuses.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import grpc
from grpc import aio

from interpreter.rpc.conversion import SERVICE
from interpreter.rpc.status import DETAILS_KEY, Failure, failure_of
from interpreter.server.backend import Backend
from interpreter.server.logs import REQUEST_ID, log_unexpected
from interpreter.telemetry import SERVED, SERVED_BYTES, SERVED_SECONDS

_LOGGER = logging.getLogger("interpreter.server.calls")
#: Metadata and header of a request's id.
ID_KEY = "x-request-id"
_ID = re.compile(r"[!-~]{1,128}")
_PREFIX = f"/{SERVICE}/"

_Behaviour = Callable[[bytes, Any], Awaitable[bytes]]


class CallInterceptor(aio.ServerInterceptor):
    """Guards the methods of our service; health and reflection pass."""

    def __init__(self, backend: Backend, *, allowed_clients: Iterable[str] = ()) -> None:
        """Keeps what it needs.

        Args:
            backend: Where calls run.
            allowed_clients: Names that a client's certificate may have (subject alternative names,
                or the common name of one without); empty for everybody.
        """
        self._backend = backend
        self._allowed = frozenset(allowed_clients)
        self._most_bytes = backend.settings.serve_max_message_bytes
        self._guarded: dict[str, grpc.RpcMethodHandler[Any, Any]] = {}
        self._running = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def idle(self) -> None:
        """Returns when no call of our service runs."""
        await self._idle.wait()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The handler of a call, guarded if it is of our service."""
        path = handler_call_details.method
        found = self._guarded.get(path)
        if found is not None:
            return found
        handler = await continuation(handler_call_details)
        if handler is None or not path.startswith(_PREFIX):
            return handler
        guarded = self._guard(path.removeprefix(_PREFIX), handler.unary_unary)
        self._guarded[path] = handler = grpc.unary_unary_rpc_method_handler(guarded)
        return handler

    def _guard(self, method: str, behaviour: _Behaviour) -> _Behaviour:
        telemetry = self._backend.telemetry

        async def guarded(request: bytes, context: Any) -> bytes:
            self._running += 1
            self._idle.clear()
            try:
                return await answered(request, context)
            finally:
                self._running -= 1
                if not self._running:
                    self._idle.set()

        async def answered(request: bytes, context: Any) -> bytes:
            started = time.perf_counter()
            request_id = request_id_of(context.invocation_metadata())
            REQUEST_ID.set(request_id)
            failure: Failure | None = None
            response = b""
            code = "CANCELLED"
            try:
                failure = self._refusal(context)
                if failure is None:
                    response = await behaviour(request, context)
                    failure = self._oversize(response)
                code = "OK" if failure is None else failure.code.name
            except Exception as error:
                failure = failure_of(error)
                code = failure.code.name
                log_unexpected(error, method)
            finally:
                seconds = time.perf_counter() - started
                telemetry.add(SERVED, ("grpc", method, code))
                telemetry.observe(SERVED_SECONDS, ("grpc", method), value=seconds)
                telemetry.add(SERVED_BYTES, ("grpc", "received"), len(request))
                log_call(method, code, seconds, failure)
            trailing: list[tuple[str, str | bytes]] = [(ID_KEY, request_id)]
            if failure is not None:
                trailing.append((DETAILS_KEY, failure.to_status().SerializeToString()))
                await context.abort(failure.code, failure.message, tuple(trailing))
            telemetry.add(SERVED_BYTES, ("grpc", "sent"), len(response))
            context.set_trailing_metadata(tuple(trailing))
            return response

        return guarded

    def _refusal(self, context: Any) -> Failure | None:
        """Why a call is not even looked at, None when it is."""
        if self._allowed and self._allowed.isdisjoint(client_names(context.auth_context())):
            return Failure(
                grpc.StatusCode.PERMISSION_DENIED,
                "the client's certificate is not on the allow-list",
                reason="CLIENT_NOT_ALLOWED",
            )
        if self._backend.full:
            return Failure(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                self._backend.threads.limit_text,
                reason="TOO_MANY_CALLS",
                facts={"limit": "serve_max_calls", "temporary": "true"},
            )
        return None

    def _oversize(self, response: bytes) -> Failure | None:
        if len(response) <= self._most_bytes:
            return None
        return Failure(
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            f"the answer has {len(response)} bytes, more than {self._most_bytes} "
            "(serve_max_message_bytes)",
            reason="MESSAGE_TOO_LARGE",
            facts={"limit": "serve_max_message_bytes"},
        )


def client_names(auth: dict[str, list[bytes]]) -> list[str]:
    """Names of a client's certificate: its subject alternative names, else its common name."""
    names = auth.get("x509_subject_alternative_name") or auth.get("x509_common_name") or []
    return [name.decode("utf-8", "replace") for name in names]


def request_id_of(metadata: Any) -> str:
    """The id that a client gave its request (pairs of metadata or headers), else a new one."""
    for key, value in metadata or ():
        if key == ID_KEY and isinstance(value, str) and _ID.fullmatch(value):
            return value
    # Unique enough to find a line of a log; a UUID costs ten times as much.
    return f"{random.getrandbits(64):016x}"


def log_call(method: str, code: str, seconds: float, failure: Failure | None) -> None:
    """A line for each call: no object and no answer is in it."""
    # That nobody interprets a kind is an answer.
    usual = failure is None or failure.code is grpc.StatusCode.UNIMPLEMENTED
    level = logging.INFO if usual else logging.WARNING
    if not _LOGGER.isEnabledFor(level):
        return
    facts = {} if failure is None else {"reason": failure.reason, **failure.facts}
    _LOGGER.log(
        level,
        "%s %s",
        method,
        code,
        extra={"method": method, "code": code, "seconds": round(seconds, 6), "facts": facts},
    )
