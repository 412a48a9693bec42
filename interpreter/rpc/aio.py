"""The client of the service for asyncio: ``AsyncClient``."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Self, overload

import grpc
from grpc import aio

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import Component, DependentObjectReference, Health, ReplicaResult
from interpreter.errors import InterpreterError
from interpreter.interpreting import arguments_of
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import JsonObject, JsonValue
from interpreter.operations import parse_operation
from interpreter.rpc import calling
from interpreter.rpc.answers import KindClaim, RemoteExplanation
from interpreter.rpc.calling import Question
from interpreter.rpc.connection import Connection


class AsyncClient(Connection):
    """A ``ResourceInterpreter`` behind a gRPC service, for one asyncio event loop.

    The methods, arguments, results and errors are those of ``ResourceInterpreter``. A failure of
    the network is a WebhookError, ``temporary`` where the same call may succeed later.
    """

    def _prepare(self) -> None:
        # A channel belongs to the event loop in which it is made: the first call's.
        self._opened: aio.Channel | None = None

    @property
    def _channel(self) -> aio.Channel:
        if self._opened is None:
            self._opened = self._made(aio.insecure_channel, aio.secure_channel)
        return self._opened

    async def start(self, timeout: float | None = None) -> Self:
        """Connects now instead of at the first call.

        Args:
            timeout: Seconds to wait for the server; the timeout of calls when None.

        Raises:
            WebhookError: The server cannot be reached in that time; temporary.
        """
        seconds = self._timeout if timeout is None else timeout
        try:
            await asyncio.wait_for(self._channel.channel_ready(), seconds)
        except TimeoutError:
            raise self._unreachable(seconds) from None
        return self

    async def close(self) -> None:
        """Closes the connection: later calls raise. Closing twice is fine."""
        self._closed = True
        if self._opened is not None:
            await self._opened.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def get_replicas(
        self, obj: JsonObject, *, context: HookContext | None = None
    ) -> ReplicaResult:
        """How many replicas the object wants, and what each needs."""
        return await self.call(Operation.GET_REPLICAS, obj, context=context)  # type: ignore[no-any-return]

    async def revise_replica(
        self, obj: JsonObject, replicas: int, *, context: HookContext | None = None
    ) -> JsonObject:
        """The object with ``replicas`` (0..2^31-1) written in."""
        return await self.call(Operation.REVISE_REPLICA, obj, context=context, replicas=replicas)  # type: ignore[no-any-return]

    async def get_components(
        self, obj: JsonObject, *, context: HookContext | None = None
    ) -> list[Component]:
        """The parts of an object with several pod templates."""
        return await self.call(Operation.GET_COMPONENTS, obj, context=context)  # type: ignore[no-any-return]

    async def retain(
        self, desired: JsonObject, observed: JsonObject, *, context: HookContext | None = None
    ) -> JsonObject:
        """``desired`` with the member cluster's own fields of ``observed``."""
        return await self.call(Operation.RETAIN, desired, context=context, observed=observed)  # type: ignore[no-any-return]

    async def aggregate_status(
        self, obj: JsonObject, items: list[JsonObject] | None, *, context: HookContext | None = None
    ) -> JsonObject:
        """The object with member statuses (AggregatedStatusItem) folded in."""
        return await self.call(Operation.AGGREGATE_STATUS, obj, context=context, items=items)  # type: ignore[no-any-return]

    async def reflect_status(
        self, obj: JsonObject, *, context: HookContext | None = None
    ) -> JsonValue:
        """The status to collect from a member's object; None for nothing to report."""
        return await self.call(Operation.REFLECT_STATUS, obj, context=context)

    async def interpret_health(
        self, obj: JsonObject, *, context: HookContext | None = None
    ) -> Health:
        """How the object fares."""
        return await self.call(Operation.INTERPRET_HEALTH, obj, context=context)  # type: ignore[no-any-return]

    async def get_dependencies(
        self, obj: JsonObject, *, context: HookContext | None = None
    ) -> list[DependentObjectReference]:
        """Objects that must travel with this one."""
        return await self.call(Operation.GET_DEPENDENCIES, obj, context=context)  # type: ignore[no-any-return]

    async def prune(
        self,
        obj: JsonObject,
        *,
        remove_job_ttl: bool = False,
        context: HookContext | None = None,
    ) -> JsonObject:
        """The template as packed into a Work."""
        inputs = {"remove_job_ttl": remove_job_ttl}
        return await self.call(Operation.PRUNE, obj, context=context, **inputs)  # type: ignore[no-any-return]

    async def call(
        self,
        operation: Operation,
        obj: JsonObject,
        *,
        context: HookContext | None = None,
        **inputs: Any,
    ) -> Any:
        """Any operation by name, for callers that loop over them.

        Args:
            operation: The operation.
            obj: The object that names the kind.
            context: Facts for hooks; its deadline bounds the call.
            **inputs: The operation's arguments behind the object, by name.

        Raises:
            ConfigurationError: An argument is missing, or not one of the operation's.
            InterpreterError: As ``ResourceInterpreter.call``; WebhookError when the server cannot
                be reached or does not keep to the protocol.
        """
        operation = parse_operation(operation)
        arguments = arguments_of(operation, obj, inputs)
        return await self._send(calling.ask(operation, arguments, context))

    async def hook_enabled(self, gvk: GVK, operation: Operation) -> bool:
        """Whether there is a rule for the operation of a kind."""
        return await self._send(calling.ask_hook_enabled(gvk, operation))  # type: ignore[no-any-return]

    async def kinds(self) -> list[KindClaim]:
        """Every claim of every tier of the server."""
        return await self._send(calling.ask_kinds())  # type: ignore[no-any-return]

    @overload
    async def explain(
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
    async def explain(
        self,
        obj: JsonObject,
        operation: Operation,
        *,
        observed: JsonObject | None = None,
        items: list[JsonObject] | None = None,
        replicas: int | None = None,
        context: HookContext | None = None,
    ) -> RemoteExplanation: ...

    async def explain(
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
        return await self._send(question)  # type: ignore[no-any-return]

    async def _send(self, question: Question) -> Any:
        if self._closed:
            raise InterpreterError("this client is closed", hint="make a new one")
        call = self._calls.get(question.path)
        if call is None:
            call = self._calls[question.path] = self._channel.unary_unary(question.path)
        seconds = question.timeout(self._timeout)
        try:
            data = await call(question.request.SerializeToString(), timeout=seconds)
        except grpc.RpcError as error:
            raise question.failed(error) from None
        except asyncio.CancelledError:
            # A channel that is closed in mid-call cancels it, and so does who waits for it.
            if not self._closed:
                raise
            raise InterpreterError("this client was closed in mid-call") from None
        return question.answer(data)
