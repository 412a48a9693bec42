"""The client of the service: ``Client`` has the methods of ``ResourceInterpreter``."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self, overload

import grpc

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError
from interpreter.interpreting import Interpreting
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject
from interpreter.rpc import calling
from interpreter.rpc.answers import KindClaim, RemoteExplanation
from interpreter.rpc.calling import Question
from interpreter.rpc.connection import Connection


class Client(Connection, Interpreting):
    """A ``ResourceInterpreter`` behind a gRPC service. Safe to share between threads.

    The methods, arguments, results and errors are those of ``ResourceInterpreter``. A failure of
    the network is a WebhookError, ``temporary`` where the same call may succeed later.
    """

    def _prepare(self) -> None:
        self._channel: grpc.Channel = self._made(grpc.insecure_channel, grpc.secure_channel)

    def start(self, timeout: float | None = None) -> Self:
        """Connects now instead of at the first call.

        Args:
            timeout: Seconds to wait for the server; the timeout of calls when None.

        Raises:
            WebhookError: The server cannot be reached in that time; temporary.
        """
        seconds = self._timeout if timeout is None else timeout
        try:
            grpc.channel_ready_future(self._channel).result(seconds)
        except grpc.FutureTimeoutError:
            raise self._unreachable(seconds) from None
        return self

    def close(self) -> None:
        """Closes the connection: later calls raise. Closing twice is fine."""
        self._closed = True
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _call(
        self, operation: Operation, arguments: tuple[Any, ...], context: HookContext | None
    ) -> Any:
        return self._send(calling.ask(operation, arguments, context))

    def hook_enabled(self, gvk: GVK, operation: Operation) -> bool:
        """Whether there is a rule for the operation of a kind."""
        return self._send(calling.ask_hook_enabled(gvk, operation))  # type: ignore[no-any-return]

    def kinds(self) -> list[KindClaim]:
        """Every claim of every tier of the server."""
        return self._send(calling.ask_kinds())  # type: ignore[no-any-return]

    @overload
    def explain(
        self,
        obj: JsonObject,
        operation: None = None,
        *,
        observed: JsonObject | None = None,
        items: list[JsonObject] | None = None,
        replicas: int | None = None,
        context: HookContext | None = None,
    ) -> list[RemoteExplanation]: ...

    @overload
    def explain(
        self,
        obj: JsonObject,
        operation: Operation,
        *,
        observed: JsonObject | None = None,
        items: list[JsonObject] | None = None,
        replicas: int | None = None,
        context: HookContext | None = None,
    ) -> RemoteExplanation: ...

    def explain(
        self,
        obj: JsonObject,
        operation: Operation | None = None,
        *,
        observed: JsonObject | None = None,
        items: list[JsonObject] | None = None,
        replicas: int | None = None,
        context: HookContext | None = None,
    ) -> RemoteExplanation | list[RemoteExplanation]:
        """Who answered, what was skipped and why: one explanation, or one for each operation."""
        question = calling.ask_explain(
            obj, operation, context, observed=observed, items=items, replicas=replicas
        )
        return self._send(question)  # type: ignore[no-any-return]

    def _send(self, question: Question) -> Any:
        if self._closed:
            raise InterpreterError("this client is closed", hint="make a new one")
        call = self._calls.get(question.path)
        if call is None:
            call = self._calls[question.path] = self._channel.unary_unary(question.path)
        seconds = question.timeout(self._timeout)
        try:
            data = call(question.request.SerializeToString(), timeout=seconds)
        except grpc.RpcError as error:
            raise question.failed(error) from None
        except ValueError:
            # The channel was closed by another thread in the meantime.
            raise InterpreterError("this client is closed", hint="make a new one") from None
        return question.answer(data)
