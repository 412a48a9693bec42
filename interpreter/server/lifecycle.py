"""The life of a serving process: start, ready, drain, stop.

The first SIGTERM or SIGINT ends it gracefully: listeners say NOT_SERVING, keep answering for the
drain time so that load balancers notice, take no more calls, and finish those that run within the
grace. The second signal ends it at once.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Protocol

from interpreter.errors import ConfigurationError

_LOGGER = logging.getLogger("interpreter.server")
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Listener(Protocol):
    """One protocol at one address."""

    @property
    def name(self) -> str:
        """What it speaks, for people and for the ready file: ``grpc``, ``https``, …."""

    @property
    def address(self) -> str:
        """Where it listens; port 0 is the real port once it has started."""

    def start(self) -> None:
        """Listens and answers.

        Raises:
            ConfigurationError: The address cannot be used.
        """

    def drain(self) -> None:
        """Tells everybody who asks that it stops soon; it goes on answering. Returns at once."""

    def stop_accepting(self) -> None:
        """Takes no more calls; those that run go on. Returns at once."""

    def stop(self, grace: float) -> None:
        """Waits up to ``grace`` seconds for calls that run, and ends."""


@dataclass(slots=True)
class Lifecycle:
    """Runs listeners until a signal.

    Attributes:
        listeners: In the order in which they start; they stop in the reverse order.
        drain_seconds: Time between "not serving" and the end of accepting.
        grace_seconds: Time that calls have to end.
        ready_file: Written when all listen, removed when they no longer do: a JSON object of
            ``pid`` and ``listeners`` (address by name).
        announce: Takes a line for each listener, when all have started.
        started: Called when all have started and were announced.
    """

    listeners: Sequence[Listener]
    drain_seconds: float
    grace_seconds: float
    ready_file: Path | None = None
    announce: Callable[[str], None] = print
    started: Callable[[], None] = lambda: None
    _stopping: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Starts all listeners and returns when they have stopped.

        Raises:
            ConfigurationError: A listener cannot start, or the ready file cannot be written; what
                has started is stopped.
        """
        with self._signals(), contextlib.ExitStack() as started:
            for listener in self.listeners:
                if self._stopping.is_set():
                    return
                listener.start()
                started.callback(listener.stop, 0.0)
            started.callback(self._remove_ready_file)
            self._write_ready_file()
            for listener in self.listeners:
                self.announce(f"{listener.name} listening on {listener.address}")
            self.started()
            _LOGGER.info("ready")
            self._stopping.wait()
            started.pop_all()
            self._stop()

    def _stop(self) -> None:
        _LOGGER.info("stopping: %g s drain, %g s grace", self.drain_seconds, self.grace_seconds)
        self._remove_ready_file()
        for listener in self.listeners:
            listener.drain()
        # Not an event: nothing but a second signal, which ends the process, shortens it.
        time.sleep(self.drain_seconds)
        for listener in self.listeners:
            listener.stop_accepting()
        end = time.monotonic() + self.grace_seconds
        for listener in reversed(self.listeners):
            listener.stop(max(0.0, end - time.monotonic()))
        _LOGGER.info("stopped")

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        previous = {number: signal.signal(number, self._on_signal) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if not self._stopping.is_set():
            self._stopping.set()
            return
        self._remove_ready_file()
        # Threads that run calls cannot be ended, and would keep the process.
        os._exit(128 + number)

    def _write_ready_file(self) -> None:
        if self.ready_file is None:
            return
        addresses = {listener.name: listener.address for listener in self.listeners}
        text = json.dumps({"pid": os.getpid(), "listeners": addresses})
        # Whoever waits for the file must never see half of it.
        temporary = self.ready_file.with_name(f".{self.ready_file.name}.{os.getpid()}")
        try:
            temporary.write_text(f"{text}\n")
            temporary.replace(self.ready_file)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise ConfigurationError(
                f"cannot write the ready file {self.ready_file}: {error.strerror or error}"
            ) from None

    def _remove_ready_file(self) -> None:
        """Never raises: a file that cannot be removed must not keep the server from stopping."""
        if self.ready_file is None:
            return
        try:
            self.ready_file.unlink(missing_ok=True)
        except OSError as error:
            _LOGGER.warning("cannot remove the ready file %s: %s", self.ready_file, error.strerror)
