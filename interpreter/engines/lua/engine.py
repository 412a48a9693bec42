"""``LuaEngine``: runs scripts on JSON values."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import Any, Protocol

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.engines.lua import convert, kube, results
from interpreter.engines.lua.limits import MIB, LuaLimits, limits_of
from interpreter.engines.lua.placing import place
from interpreter.engines.lua.scripts import Script, script_error
from interpreter.engines.lua.vm import Code, NoRoom, Reply, Runtime, SyntaxProblem
from interpreter.errors import (
    NO_VALUE,
    ConfigurationError,
    EngineError,
    InterpreterError,
    InvalidObject,
    LuaMemoryExceeded,
    LuaTimeout,
)
from interpreter.machinery.unstructured import JsonValue
from interpreter.settings import DEFAULTS, Settings

#: Seconds that a second run may take to find the line of a failure: together with the deadline less
#: than a caller is willing to wait. A script that needs longer has its error without the exact
#: line.
TRACE_SECONDS = 0.2


class Host(Protocol):
    """Where a script runs: a runtime of this process, or a worker process."""

    usable: bool

    @property
    def owned(self) -> bool:
        """Whether this process may use it."""

    def run(
        self,
        source: str,
        function: str,
        payload: bytes,
        budget: float,
        *,
        trace: bool = False,
    ) -> Reply | SyntaxProblem:
        """Runs a script's function on packed arguments."""

    def compile(self, source: str) -> SyntaxProblem | None:
        """Checks a script's syntax."""

    def close(self) -> None:
        """Ends it."""


class LuaEngine:
    """Runs scripts.

    Safe to share between threads; each call has a runtime of its own from a pool.
    """

    def __init__(
        self,
        *,
        settings: Settings = DEFAULTS,
        isolation: str = "thread",
        limits: LuaLimits | None = None,
    ) -> None:
        """Makes an engine; nothing is started yet.

        Args:
            settings: Settings of the package, limits among them.
            isolation: ``"thread"`` runs scripts in the calling thread, ``"process"`` in worker
                processes that can be killed.
            limits: Limits of a call, instead of those of the settings.

        Raises:
            ConfigurationError: ``isolation`` is neither.
        """
        if isolation not in ("thread", "process"):
            raise ConfigurationError(f"isolation must be 'thread' or 'process', not {isolation!r}")
        self.settings = settings
        self.isolation = isolation
        self.limits = limits_of(settings) if limits is None else limits
        # The runtime used last is the warmest, so it is taken first; append and pop are atomic.
        self._idle: deque[Host] = deque()
        self._closed = False

    def call(
        self,
        script: Script,
        arguments: Sequence[JsonValue],
        *,
        operation: Operation | None = None,
        deadline_seconds: float | None = None,
        lines: set[int] | None = None,
    ) -> list[JsonValue]:
        """Runs a script's function on JSON values.

        Args:
            script: The script.
            arguments: Arguments of the function; they are not changed.
            operation: What the call is about; it helps to place new empty tables.
            deadline_seconds: Seconds the call may take; the limit of the engine stays the upper
                bound.
            lines: When given, collects the numbers of the lines that ran.

        Returns:
            The function's results, at most two.

        Raises:
            LuaScriptError: The script is wrong, raised an error, or returned what JSON cannot hold.
            LuaTimeout: It did not end in time.
            LuaMemoryExceeded: It needed more memory than its limit.
            InvalidObject: An argument is no JSON.
        """
        payload = convert.encode(arguments, depth=self.limits.depth)
        budget = self._budget(script, deadline_seconds)
        reply = self._run(script, payload, budget, trace=lines is not None)
        if lines is not None and reply.trace is not None:
            lines.update(convert.decode(reply.trace)[1:])
        if not reply.data:
            raise self._memory_error(script, None)
        try:
            values = convert.decode(reply.data)
        except convert.InvalidText as problem:
            line = self._last_line(script, payload)
            raise script_error(
                script, "the result is no valid UTF-8", line, path=problem.path or None
            ) from None
        if values[0] == Code.OK:
            if values[1]:
                return place(values[2:], arguments, operation)
            return values[2:]
        raise self._failure(script, values, arguments, payload, budget)

    def interpret(
        self,
        operation: Operation,
        script: Script,
        arguments: Sequence[JsonValue],
        context: HookContext | None = None,
    ) -> Any:
        """Runs a script for an operation and checks its answer.

        Args:
            operation: The operation.
            script: Its script.
            arguments: Arguments of the operation's hook, in order.
            context: Facts of the call; its deadline shortens the script's.

        Returns:
            The operation's result type; ``NO_STATUS`` when ReflectStatus has nothing to report.

        Raises:
            InterpreterError: As :meth:`call`; an unusable answer is a LuaScriptError with path and
                value.
        """
        arguments = _as_scripts_see(operation, arguments)
        seconds = None
        if context is not None and context.deadline is not None:
            seconds = context.deadline - time.monotonic()
        try:
            values = self.call(script, arguments, operation=operation, deadline_seconds=seconds)
        except InterpreterError as error:
            error.annotate(operation=operation)
            raise
        try:
            return results.check(operation, values)
        except InvalidObject as problem:
            payload = convert.encode(arguments, depth=self.limits.depth)
            raise script_error(
                script,
                problem.message,
                self._last_line(script, payload),
                hint=problem.hint,
                path=problem.path,
                value=problem.value,
                operation=operation,
            ) from None

    def check_syntax(self, source: str) -> tuple[int, str] | None:
        """The first syntax error of a Lua text, as LuaJIT tells it.

        Returns:
            Line and message, or None when there is none.
        """
        try:
            found = self._compile(source)
        except NoRoom:
            found = self._compile(source)
        return None if found is None else (found.line, found.message)

    def close(self) -> None:
        """Ends runtimes and worker processes; later calls raise. Closing twice is fine."""
        self._closed = True
        while self._idle:
            try:
                self._idle.pop().close()
            except IndexError:
                break

    def _compile(self, source: str) -> SyntaxProblem | None:
        host = self._take()
        try:
            return host.compile(source)
        finally:
            self._put(host)

    def _budget(self, script: Script, seconds: float | None) -> float:
        limit = self.limits.deadline_ms / 1000
        if seconds is None or seconds >= limit:
            return limit
        if seconds <= 0:
            raise script_error(
                script, "was not started: its deadline has passed", None, kind=LuaTimeout
            )
        return seconds

    def _run(self, script: Script, payload: bytes, budget: float, *, trace: bool = False) -> Reply:
        reply = self._run_once(script, payload, budget, trace)
        if not reply.data:
            # The runtime may have been full of compiled scripts: a new one tells whether the call
            # itself is too large.
            reply = self._run_once(script, payload, budget, trace)
        return reply

    def _run_once(self, script: Script, payload: bytes, budget: float, trace: bool) -> Reply:
        host = self._take()
        try:
            reply = host.run(script.source, script.function, payload, budget, trace=trace)
        except BaseException as error:
            # Whatever state it is in, nobody else gets it.
            host.usable = False
            if isinstance(error, InterpreterError):
                error.annotate(plugin=script.customization, script=script.name)
            raise
        finally:
            self._put(host)
        if isinstance(reply, SyntaxProblem):
            raise script_error(script, f"syntax error: {reply.message}", reply.line)
        return reply

    def _take(self) -> Host:
        if self._closed:
            raise InterpreterError("this LuaEngine is closed", hint="make a new one")
        while self._idle:
            try:
                host = self._idle.pop()
            except IndexError:
                break
            if host.owned:
                return host
        if self.isolation == "process":
            from interpreter.engines.lua.process import Worker

            return Worker(self.limits)
        return Runtime(self.limits, kube.call)

    def _put(self, host: Host) -> None:
        if host.usable and not self._closed:
            self._idle.append(host)
        else:
            host.close()

    def _last_line(self, script: Script, payload: bytes, *, stopped: bool = False) -> int | None:
        """The line a script ended on: runs it once more and watches. Only for error messages.

        Args:
            script: The script.
            payload: Its packed arguments.
            stopped: Whether the line where a slow run was stopped will do, too.
        """
        try:
            reply = self._run(script, payload, TRACE_SECONDS, trace=True)
        except InterpreterError:
            return None
        # `[code, …]`: a list header, then the code.
        if reply.trace is None or (reply.data[1] == Code.TIMEOUT and not stopped):
            return None
        return convert.decode(reply.trace)[0] or None

    def _memory_error(self, script: Script, line: int | None) -> EngineError:
        size = self.limits.heap_bytes / MIB
        return script_error(
            script, f"needed more than {size:g} MiB of Lua heap", line, kind=LuaMemoryExceeded
        )

    def _failure(
        self,
        script: Script,
        values: list[Any],
        arguments: Sequence[JsonValue],
        payload: bytes,
        budget: float,
    ) -> InterpreterError:
        """The error that a failed reply tells of."""
        code = values[0]
        text = values[1].decode(errors="replace")
        line: int | None = values[2]
        path = values[3].decode(errors="replace") if values[3] else None
        if code == Code.PAYLOAD:
            return convert.explain_refusal(arguments, depth=self.limits.depth)
        if code == Code.TIMEOUT:
            return script_error(script, f"did not end within {budget:g} s", line, kind=LuaTimeout)
        if code == Code.MEMORY:
            if line is None:
                line = self._last_line(script, payload, stopped=True)
            return self._memory_error(script, line)
        if code == Code.MISSING:
            return _missing(script, text)
        if line is None:
            line = self._last_line(script, payload)
        if code == Code.RESULT:
            return script_error(
                script, f"the result {text}", line, value=_unusual(text), path=path or None
            )
        return script_error(script, text, line)


def _as_scripts_see(operation: Operation, arguments: Sequence[JsonValue]) -> Sequence[JsonValue]:
    """Arguments with status items as the API writes them: a field that is not set is absent.

    Scripts ask ``item.applied == nil``; a caller in Python may well say ``applied: False``.
    """
    if operation is not Operation.AGGREGATE_STATUS or not isinstance(arguments[1], list):
        return arguments
    return arguments[0], [_item(item) for item in arguments[1]]


def _item(item: JsonValue) -> JsonValue:
    if not isinstance(item, dict):
        return item
    unset = [key for key in ("applied", "appliedMessage", "health") if not item.get(key, True)]
    if not unset and "clusterName" in item:
        return item
    kept = {key: value for key, value in item.items() if key not in unset}
    kept.setdefault("clusterName", "")
    return kept


def _missing(script: Script, kind: str) -> EngineError:
    if kind == "nil":
        text = f"not found function {script.function}"
    else:
        text = f"{script.function} is not a function: {kind}"
    return script_error(script, text, 1, hint=f"define a global function {script.function}")


def _unusual(text: str) -> Any:
    """The value a conversion refused, where it has one that Python can show."""
    if "NaN" in text:
        return float("nan")
    return float("inf") if "infinite" in text else NO_VALUE
