"""The gRPC listener: our service, health, and reflection."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from interpreter.errors import ConfigurationError
from interpreter.facade import ResourceInterpreter
from interpreter.machinery.gvk import gvk_of
from interpreter.rpc.conversion import METHODS, SERVICE, read_request
from interpreter.rpc.tls import Certificates
from interpreter.server.backend import Backend
from interpreter.server.calls import CallInterceptor
from interpreter.server.loop import LoopThread
from interpreter.server.service import ANSWERS, answer, answer_parsed
from interpreter.settings import Settings

_Status = health_pb2.HealthCheckResponse
#: Calls of health and reflection beside ours until gRPC itself refuses; ours are counted by the
#: backend, so that many of them never make the server look dead.
_RESERVE = 1000
_FOREVER = 1e9
#: Seconds that the last answers have to leave.
_LAST = 0.5
_UNIX = "unix:"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_LOGGER = logging.getLogger("interpreter.server")
#: Bytes of a request that is read where it arrives: 0.3 ms at most.
_SHORT = 16 * 1024
OPERATION_OF_METHOD = {operation.value: operation for operation in METHODS}


@dataclass(frozen=True, slots=True, kw_only=True)
class GrpcOptions:
    """What a gRPC listener is told.

    Attributes:
        address: ``host:port``, ``[ipv6]:port``, ``:port`` or ``unix:path``; port 0 takes a free
            one.
        certificates: For TLS; None for plain text.
        allowed_clients: Names that a client's certificate may have; empty for everybody.
        reflection: Whether clients may ask for the descriptors.
    """

    address: str
    certificates: Certificates | None = None
    allowed_clients: tuple[str, ...] = ()
    reflection: bool = False


class GrpcListener:
    """Answers our service and health at one address."""

    def __init__(
        self, options: GrpcOptions, backend: Backend, *, name: str = "grpc", probe: bool = False
    ) -> None:
        """Opens nothing yet.

        Args:
            options: What it is told.
            backend: Where calls run.
            name: Its name in messages and in the ready file.
            probe: Whether it answers health alone.
        """
        self.name = name
        self.address = _complete(options.address)
        self._options = options
        self._backend = backend
        self._probe = probe
        self._health = health.aio.HealthServicer()
        self._server: aio.Server | None = None
        self._thread: LoopThread | None = None
        self._calls: CallInterceptor | None = None

    def start(self) -> None:
        """Listens and answers.

        Raises:
            ConfigurationError: The address cannot be used.
        """
        self._thread = LoopThread(self.name)
        try:
            self._thread.run(self._start())
        except BaseException:
            self._thread.close()
            self._thread = None
            raise

    def drain(self) -> None:
        """Health says NOT_SERVING from now on, whatever is set later."""
        self._running.start(self._health.enter_graceful_shutdown())

    def stop_accepting(self) -> None:
        """Refuses new calls; those that run go on."""
        if self._server is not None:
            self._running.start(self._server.stop(_FOREVER))

    def stop(self, grace: float) -> None:
        """Waits for calls that run, cancels those that take longer than ``grace`` seconds."""
        if self._thread is None or self._server is None:
            return
        self._thread.run(self._stop(self._server, grace))
        self._thread.close()
        self._thread = self._server = None
        if self.address.startswith(_UNIX):
            # A socket that cannot be removed is in nobody's way: the next server takes it over.
            with contextlib.suppress(OSError):
                Path(_socket_path(self.address)).unlink()

    @property
    def _running(self) -> LoopThread:
        if self._thread is None:
            raise RuntimeError(f"the listener {self.name} was not started")
        return self._thread

    async def _stop(self, server: aio.Server, grace: float) -> None:
        """Waits for calls; a health watch, which never ends by itself, is not waited for."""
        if self._calls is not None and grace > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._calls.idle(), grace)
        # An answer that was given has yet to be sent.
        await server.stop(min(grace, _LAST))

    async def _start(self) -> None:
        self._calls = CallInterceptor(self._backend, allowed_clients=self._options.allowed_clients)
        server = aio.server(
            interceptors=(self._calls,),
            options=_channel_options(self._backend.settings),
            maximum_concurrent_rpcs=self._backend.settings.serve_max_calls + _RESERVE,
        )
        names = [health.SERVICE_NAME]
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        if not self._probe:
            names.append(SERVICE)
            server.add_generic_rpc_handlers((_service_handler(self._backend),))
        if self._options.reflection:
            reflection.enable_server_reflection([*names, reflection.SERVICE_NAME], server)
        self.address = self._listen(server)
        for service in ("", SERVICE):
            await self._health.set(service, _Status.SERVING)
        await server.start()
        self._server = server

    def _warn_of_plain_text(self) -> None:
        host = self.address.rpartition(":")[0].strip("[]")
        if not self._probe and not self.address.startswith(_UNIX) and host not in _LOOPBACK:
            _LOGGER.warning(
                "%s is plain text beyond this machine: anybody can read and ask; "
                "give --tls-cert, --tls-key and --client-ca",
                self.address,
            )

    def _listen(self, server: aio.Server) -> str:
        address = self.address
        if address.startswith(_UNIX):
            _check_free(address)
        try:
            if self._options.certificates is None:
                self._warn_of_plain_text()
                port = server.add_insecure_port(address)
            else:
                credentials = self._options.certificates.grpc_credentials()
                port = server.add_secure_port(address, credentials)
        except RuntimeError:
            raise ConfigurationError(
                f"cannot listen on {address}",
                hint="the address is taken, not this machine's, or no address",
            ) from None
        if address.startswith(_UNIX):
            return address
        return f"{address.rpartition(':')[0]}:{port}"


def _service_handler(backend: Backend) -> grpc.GenericRpcHandler:
    def behaviour(method: str) -> Any:
        operation = OPERATION_OF_METHOD.get(method)

        async def ask(request: bytes, context: Any) -> bytes:
            remaining = context.time_remaining()
            if operation is not None and backend.in_process and len(request) <= _SHORT:
                deadline = None if remaining is None else time.monotonic() + remaining
                arguments, facts = read_request(operation, request, deadline)
                # The way to a thread and back costs more than a built-in answer, which takes
                # microseconds: only scripts, plugins (their import, too) and webhooks can hold up
                # health.
                if backend.interpreter.built_in(gvk_of(arguments[0]), operation):
                    return answer_parsed(backend.interpreter, operation, arguments, facts)
                return await backend.run(answer_parsed, operation, arguments, facts)
            return await backend.run(answer_call, method, request, remaining, time.time())

        return ask

    # Without (de)serializers: what is no message is our INVALID_ARGUMENT, not gRPC's INTERNAL.
    handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        method: grpc.unary_unary_rpc_method_handler(behaviour(method)) for method in ANSWERS
    }
    return grpc.method_handlers_generic_handler(SERVICE, handlers)


def answer_call(
    interpreter: ResourceInterpreter,
    method: str,
    request: bytes,
    remaining: float | None,
    asked: float,
) -> bytes:
    """Answers a call, in a worker thread or process.

    Args:
        interpreter: Who answers.
        method: Name of the method.
        request: The message.
        remaining: Seconds until the caller gives up, None for never.
        asked: ``time.time()`` at which that was so; processes share no monotonic clock.
    """
    deadline = None
    if remaining is not None:
        deadline = time.monotonic() + remaining - (time.time() - asked)
    return answer(interpreter, method, request, deadline)


def _channel_options(settings: Settings) -> list[tuple[str, int]]:
    # https://grpc.github.io/grpc/core/group__grpc__arg__keys.html
    return [
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", settings.serve_max_message_bytes),
        # Answers are measured by ourselves, so that the text can name the setting.
        ("grpc.max_send_message_length", -1),
        ("grpc.keepalive_time_ms", settings.serve_keepalive_ms),
        ("grpc.keepalive_timeout_ms", settings.serve_keepalive_timeout_ms),
        # Its default is a minute, and the later of the two counts.
        ("grpc.http2.ping_timeout_ms", settings.serve_keepalive_timeout_ms),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.http2.min_ping_interval_without_data_ms", settings.serve_min_ping_ms),
        ("grpc.http2.max_ping_strikes", 2),
        ("grpc.server_handshake_timeout_ms", settings.serve_handshake_ms),
    ]


def _complete(address: str) -> str:
    """An address as gRPC reads it; ``:port`` is every address of this machine."""
    if address.startswith(_UNIX):
        return address
    host, colon, port = address.rpartition(":")
    if not colon or not port.isascii() or not port.isdecimal() or int(port) > 65535:
        raise ConfigurationError(
            f"{address!r} is no address to listen on",
            hint="host:port, [ipv6]:port, :port or unix:path; port 0 takes a free one",
        )
    return f"{host or '[::]'}:{port}"


def _socket_path(address: str) -> str:
    return address.removeprefix(_UNIX).removeprefix("//")


def _check_free(address: str) -> None:
    """Refuses a socket that somebody answers: gRPC would take it away from them.

    Raises:
        ConfigurationError: Somebody listens there.
    """
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as probe:
        try:
            probe.connect(_socket_path(address))
        except OSError:
            return
    raise ConfigurationError(f"cannot listen on {address}", hint="somebody listens there already")
