"""Threads that run calls, and how many wait for them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from interpreter.errors import EngineError
from interpreter.settings import Settings
from interpreter.telemetry import SERVING, Telemetry


class WorkerPool(ThreadPoolExecutor):
    """A thread pool that knows how many calls wait or run in it.

    Listeners share it; health has threads of its own, so that work never blocks it.
    """

    def __init__(self, settings: Settings, telemetry: Telemetry) -> None:
        """Starts no thread yet."""
        super().__init__(settings.serve_threads, thread_name_prefix="call")
        self._most = settings.serve_max_calls
        self._telemetry = telemetry
        self._count_lock = threading.Lock()
        self._count = 0

    @property
    def full(self) -> bool:
        """Whether a further call must be refused."""
        return self._count >= self._most

    @property
    def busy(self) -> bool:
        """Whether a call waits or runs."""
        return self._count > 0

    @property
    def limit_text(self) -> str:
        """Why, for the client."""
        return f"more than {self._most} calls wait or run (serve_max_calls); try again later"

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Runs a call as soon as a thread is free."""
        self._add(1)
        try:
            future = super().submit(_contained, fn, *args, **kwargs)
        except RuntimeError:
            self._add(-1)
            raise
        # A future ends in every case: a caller that leaves before its call runs is not lost count
        # of.
        future.add_done_callback(lambda _future: self._add(-1))
        return future

    def _add(self, amount: int) -> None:
        with self._count_lock:
            self._count += amount
            self._telemetry.set(SERVING, value=self._count)


def _contained(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Runs a call; one that ends as only a process or a task may is an error.

    An event loop that awaits such an exception would end with it, and the server with the loop.
    """
    try:
        return fn(*args, **kwargs)
    except Exception:
        raise
    except BaseException as error:
        raise EngineError(f"the call ended with {type(error).__name__}") from error
