"""Where calls run: an interpreter with worker threads, or one in each of some worker processes.

Listeners hand over functions of the interpreter and plain data, so that it makes no difference.
"""

from __future__ import annotations

import asyncio
import contextvars
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, cast

from interpreter.errors import EngineError, InterpreterError
from interpreter.facade import ResourceInterpreter
from interpreter.registry import ALL_TIERS
from interpreter.server.logs import REQUEST_ID, LogOptions, configure, log_unexpected, logged
from interpreter.server.pool import WorkerPool
from interpreter.settings import DEFAULTS, Settings
from interpreter.telemetry import Recorded, Telemetry

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class InterpreterSpec:
    """How to make the interpreter; plain data, so that a worker process can make its own.

    Attributes:
        customizations: ResourceInterpreterCustomization documents.
        webhooks: ResourceInterpreterWebhookConfiguration documents.
        plugins: ``"auto"``, None, or names and paths.
        tiers: Names of tiers.
        disable: What not to ask.
        isolation: Where scripts run.
        settings: Limits.
        logs: How the process logs, and its workers.
    """

    customizations: Sequence[Any] = ()
    webhooks: Sequence[Any] = ()
    plugins: Literal["auto"] | Sequence[str | Path] | None = "auto"
    tiers: tuple[str, ...] = ALL_TIERS
    disable: tuple[str, ...] = ()
    isolation: Literal["thread", "process"] = "thread"
    settings: Settings = field(default=DEFAULTS)
    logs: LogOptions = field(default_factory=LogOptions)

    def build(self) -> ResourceInterpreter:
        """The interpreter, started.

        Raises:
            InterpreterError: A document, a plugin or a name cannot be used.
        """
        return ResourceInterpreter(
            self.customizations,
            self.webhooks,
            self.plugins,
            tiers=self.tiers,
            disable=self.disable,
            isolation=self.isolation,
            settings=self.settings,
        ).start()


class Backend:
    """Runs functions of the interpreter. Safe to share between threads and event loops."""

    def __init__(self, spec: InterpreterSpec, *, processes: int = 0) -> None:
        """Makes the interpreter.

        Args:
            spec: How.
            processes: Worker processes, each with an interpreter of its own; 0 for none.

        Raises:
            InterpreterError: A document, a plugin or a name cannot be used.
        """
        #: Also with worker processes: it tells what is served, and fails early.
        self.interpreter = spec.build()
        self.settings = spec.settings
        self.telemetry: Telemetry = self.interpreter.telemetry
        self.threads = WorkerPool(spec.settings, self.telemetry)
        self._processes = _Processes(spec, processes, self.telemetry) if processes else None

    @property
    def full(self) -> bool:
        """Whether a further call must be refused."""
        return self.threads.full

    @property
    def in_process(self) -> bool:
        """Whether calls run in this process, where this interpreter answers."""
        return self._processes is None

    async def run(self, function: Callable[..., _T], *arguments: Any) -> _T:
        """Runs ``function(interpreter, *arguments)`` where calls run.

        A call that is cancelled before it runs never runs.

        Args:
            function: With worker processes, a function of a module.
            *arguments: With worker processes, plain data.

        Raises:
            InterpreterError: The function raised it, or the worker process ended.
        """
        if self._processes is None:
            # The thread's logs carry the request's id, too.
            context = contextvars.copy_context()
            future = self.threads.submit(context.run, function, self.interpreter, *arguments)
        else:
            run = self._processes.run
            future = self.threads.submit(run, function, arguments, REQUEST_ID.get())
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Ends it. A call that still runs is not waited for."""
        self.threads.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            self._processes.close()
        self.interpreter.close()


class _Processes:
    """A pool of processes that replaces itself when one of them dies."""

    def __init__(self, spec: InterpreterSpec, count: int, telemetry: Telemetry) -> None:
        self._spec = spec
        self._telemetry = telemetry
        self._count = count
        self._lock = threading.Lock()
        self._pool = self._make()
        # All of them start now: an interpreter takes longer to make than most calls.
        try:
            for future in [self._pool.submit(_nothing) for _each in range(count)]:
                future.result()
        except BrokenProcessPool:
            raise EngineError(
                "a worker process did not start", hint="its standard error tells more"
            ) from None

    def run(self, function: Callable[..., _T], arguments: tuple[Any, ...], request_id: str) -> _T:
        pool = self._pool
        try:
            future: Future[_Done[_T]] = pool.submit(_in_process, function, arguments, request_id)
            done = future.result()
        except BrokenProcessPool:
            self._replace(pool)
            error = EngineError("a worker process ended in mid-call", hint="try again")
            error.temporary = True
            raise error from None
        except Exception as error:
            # An answer that cannot travel; what the pool adds is its traceback as a text, which
            # quotes the exception.
            error.__cause__ = None
            raise
        self._telemetry.merge(done.recorded, source=done.process)
        if done.error is not None:
            raise logged(done.error)
        return cast("_T", done.answer)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        with self._lock:
            if self._pool is broken:
                broken.shutdown(wait=False)
                self._telemetry.forget()
                self._pool = self._make()

    def _make(self) -> ProcessPoolExecutor:
        # Not forked: a process with gRPC's threads must not be.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(
            self._count, mp_context=context, initializer=_start_process, initargs=(self._spec,)
        )


@dataclass(frozen=True, slots=True)
class _Done(Generic[_T]):
    """A call that a worker process has run; one that fails has been counted, too."""

    answer: _T | None
    error: Exception | None
    recorded: Recorded
    process: int


_INTERPRETER: ResourceInterpreter | None = None


def _start_process(spec: InterpreterSpec) -> None:
    global _INTERPRETER
    # A terminal and an init system signal everybody; the parent decides when its workers end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "sigwaitinfo"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        threading.Thread(target=_end_on_command, daemon=True).start()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    configure(spec.logs)
    _INTERPRETER = spec.build()


def _end_on_command() -> None:
    """Ends the worker when its parent, and nobody else, sends SIGTERM."""
    while signal.sigwaitinfo({signal.SIGTERM}).si_pid != os.getppid():
        pass
    os._exit(0)


def _end_with_parent() -> None:
    """A killed parent cannot end its workers: they wait for it, and would wait forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def _in_process(
    function: Callable[..., _T], arguments: tuple[Any, ...], request_id: str
) -> _Done[_T]:
    REQUEST_ID.set(request_id)
    if _INTERPRETER is None:
        raise InterpreterError("the worker process has no interpreter")
    answer: _T | None = None
    failed: Exception | None = None
    try:
        answer = function(_INTERPRETER, *arguments)
    except Exception as error:
        # Logged here: its cause, which knows where it happened, does not travel.
        log_unexpected(error, getattr(function, "__name__", "call"))
        failed = error
    return _Done(answer, failed, _INTERPRETER.telemetry.take(), os.getpid())


def _nothing() -> None:
    return None
