"""What both clients do: where a server is, what a call sends, and what its answer means."""

from __future__ import annotations

import time
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass
from types import NoneType
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.errors import ConfigurationError, InterpreterError, InvalidObject, WebhookError
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject
from interpreter.operations import OPERATIONS, parse_operation
from interpreter.rpc.answers import read_claims, read_explanation
from interpreter.rpc.conversion import (
    METHODS,
    SERVICE,
    build_request,
    parse,
    read_response,
    write_items,
)
from interpreter.rpc.messages import WIRE_OPERATIONS, to_json, wire_context, wire_gvk
from interpreter.rpc.status import error_of, failure_of_call
from interpreter.rpc.v1 import interpreter_pb2 as pb

#: Seconds of a call, when nobody says otherwise: a webhook's default.
DEFAULT_TIMEOUT: Final = 10.0
#: Bytes of a message, as a server's default.
DEFAULT_MESSAGE_BYTES: Final = 8 * 1024 * 1024
_KEEPALIVE_MS = 30_000
_PING_TIMEOUT_MS = 10_000
_TLS_PORT = 443


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a server is, and how to reach it.

    Attributes:
        address: As gRPC reads it: ``host:port`` or ``unix:path``.
        secure: Whether with TLS.
        ca: CA certificates, PEM; None for the public ones.
        certificate: The client's chain for mutual TLS, PEM; with ``key``.
        key: Its private key, PEM.
        server_name: Name that the server's certificate must have, when it is not the host's.
        max_message_bytes: Longest message, either way.
    """

    address: str
    secure: bool
    ca: bytes | None = None
    certificate: bytes | None = None
    key: bytes | None = None
    server_name: str | None = None
    max_message_bytes: int = DEFAULT_MESSAGE_BYTES

    def credentials(self) -> grpc.ChannelCredentials | None:
        """Credentials of a channel, None for plain text."""
        if not self.secure:
            return None
        return grpc.ssl_channel_credentials(self.ca, self.key, self.certificate)

    def options(self) -> list[tuple[str, Any]]:
        """Options of a channel."""
        options: list[tuple[str, Any]] = [
            ("grpc.max_send_message_length", self.max_message_bytes),
            ("grpc.max_receive_message_length", self.max_message_bytes),
            # A server that is gone without a word is noticed while a call waits for it.
            ("grpc.keepalive_time_ms", _KEEPALIVE_MS),
            ("grpc.keepalive_timeout_ms", _PING_TIMEOUT_MS),
            ("grpc.http2.ping_timeout_ms", _PING_TIMEOUT_MS),
            # A server that restarts is found again soon: gRPC's own pauses grow to two minutes.
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 5_000),
            # Who retries is who knows how often: gRPC's own would hide it.
            ("grpc.enable_retries", 0),
            # Two clients must not share a connection: one may be closed, or have another CA.
            ("grpc.use_local_subchannel_pool", 1),
        ]
        if self.server_name is not None:
            options.append(("grpc.ssl_target_name_override", self.server_name))
        return options


def parse_target(url: str, **how: Any) -> Target:
    """Reads ``grpc://host:port``, ``grpcs://host[:port]`` or ``unix:path``.

    Args:
        url: The address; ``grpcs`` is TLS, its default port is 443.
        **how: Other attributes of ``Target``.

    Raises:
        ConfigurationError: It is none of them, or the attributes do not fit it.
    """
    secure = url.startswith("grpcs://")
    if not secure and any(how.get(name) for name in ("ca", "certificate", "key", "server_name")):
        raise ConfigurationError("certificates need a grpcs:// address", value=url)
    for name in ("ca", "certificate", "key"):
        if not isinstance(how.get(name), (bytes, NoneType)):
            raise ConfigurationError(
                f"{name} must be PEM as bytes", hint="not a path: Path(…).read_bytes()"
            )
    if (how.get("certificate") is None) != (how.get("key") is None):
        raise ConfigurationError("certificate and key belong together", hint="give both")
    if url.startswith("unix:"):
        path = url.removeprefix("unix:")
        path = path.removeprefix("//")
        if not path:
            raise _no_address(url)
        return Target(address=f"unix:{path}", secure=False, **how)
    parts = urllib.parse.urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        raise _no_address(url) from None
    if port is None and secure:
        port = _TLS_PORT
    rest = parts.path.rstrip("/") or parts.query or parts.fragment or parts.username
    if parts.scheme not in ("grpc", "grpcs") or not parts.hostname or not port or rest:
        raise _no_address(url)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return Target(address=f"{host}:{port}", secure=secure, **how)


def _no_address(url: str) -> ConfigurationError:
    hint = "grpc://host:port, grpcs://host[:port] or unix:path"
    return ConfigurationError("is no address of a gRPC service", value=url, hint=hint)


@dataclass(frozen=True, slots=True)
class Question:
    """One call: what it sends, and what it makes of the answer.

    Attributes:
        path: ``/package.Service/Method``.
        request: The message.
        read: Reads the response.
        gvk: Kind, for errors.
        operation: Operation, for errors.
        deadline: ``time.monotonic()`` value of the caller's context.
    """

    path: str
    request: Message
    read: Callable[[bytes], Any]
    gvk: GVK | None = None
    operation: Operation | None = None
    deadline: float | None = None

    def timeout(self, longest: float) -> float:
        """Seconds that the call may take."""
        if self.deadline is None:
            return longest
        return max(0.0, min(longest, self.deadline - time.monotonic()))

    def answer(self, data: bytes) -> Any:
        """The answer of a response.

        Raises:
            WebhookError: It does not follow the protocol.
        """
        try:
            return self.read(data)
        except InvalidObject as error:
            raise WebhookError(
                f"the server's answer cannot be used: {error}",
                gvk=self.gvk,
                operation=self.operation,
            ) from None

    def failed(self, error: grpc.RpcError) -> InterpreterError:
        """The error that a failed call raises."""
        problem = error_of(failure_of_call(error))
        problem.annotate(gvk=self.gvk, operation=self.operation)
        return problem


def ask(operation: Operation, arguments: tuple[Any, ...], context: HookContext | None) -> Question:
    """The question for an operation.

    Args:
        operation: The operation.
        arguments: All of its arguments in their order.
        context: Facts for hooks; its deadline bounds the call.

    Raises:
        InvalidObject: An argument cannot be used.
    """
    spec, method = OPERATIONS[operation], METHODS[operation]
    obj, *given = arguments
    checked = (argument.check(value) for argument, value in zip(spec.inputs, given, strict=True))

    def read(data: bytes) -> Any:
        answer = read_response(operation, parse(method.response, data))
        # What another implementation of the service says is checked as what a plugin says is.
        return spec.accept(answer)

    return Question(
        method.path,
        build_request(operation, (obj, *checked), context),
        read,
        operation=operation,
        deadline=None if context is None else context.deadline,
    )


def ask_hook_enabled(gvk: GVK, operation: Operation) -> Question:
    """The question whether there is a rule."""
    operation = parse_operation(operation)
    request = pb.HookEnabledRequest(kind=wire_gvk(gvk), operation=WIRE_OPERATIONS[operation])

    def read(data: bytes) -> bool:
        return parse(pb.HookEnabledResponse, data).enabled  # type: ignore[no-any-return]

    return Question(f"/{SERVICE}/HookEnabled", request, read, gvk, operation)


def ask_kinds() -> Question:
    """The question for all claims."""

    def read(data: bytes) -> Any:
        return read_claims(parse(pb.ListKindsResponse, data))

    return Question(f"/{SERVICE}/ListKinds", pb.ListKindsRequest(), read)


def ask_explain(
    obj: JsonObject,
    operation: Operation | None,
    context: HookContext | None,
    *,
    observed: JsonObject | None,
    items: list[JsonObject] | None,
    replicas: int | None,
) -> Question:
    """The question who answers."""
    given: Any = pb.ExplainRequest(object=to_json(obj))
    if operation is not None:
        operation = parse_operation(operation)
        given.operation = WIRE_OPERATIONS[operation]
    if observed is not None:
        given.observed = to_json(observed)
    write_items(given, items)
    if replicas is not None:
        (argument,) = OPERATIONS[Operation.REVISE_REPLICA].inputs
        given.replicas = argument.check(replicas)
    if context is not None:
        given.context.CopyFrom(wire_context(context))

    def read(data: bytes) -> Any:
        message = parse(pb.ExplainResponse, data)
        found = [read_explanation(item) for item in message.explanations]
        if operation is None:
            return found
        if len(found) != 1:
            raise InvalidObject("must hold one explanation", path="explanations", value=found)
        return found[0]

    deadline = None if context is None else context.deadline
    return Question(f"/{SERVICE}/Explain", given, read, operation=operation, deadline=deadline)
