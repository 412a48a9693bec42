"""A circuit breaker: who does not answer is left alone for a while."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, Literal

State = Literal["closed", "half-open", "open"]
#: The states as the numbers of a gauge.
LEVELS: Final[dict[State, int]] = {"closed": 0, "half-open": 1, "open": 2}


class CircuitBreaker:
    """Counts failures in a row. Safe to share between threads.

    Closed, every call goes through. After ``failures`` failed ones in a row it opens: calls are
    refused for ``pause`` seconds. Then it is half-open: one call tries; its success closes, its
    failure opens again.
    """

    def __init__(
        self, *, failures: int, pause: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Starts closed.

        Args:
            failures: Failed calls in a row that open it.
            pause: Seconds for which it stays open.
            clock: Seconds of any origin.
        """
        self._failures = failures
        self._pause = pause
        self._clock = clock
        self._lock = threading.Lock()
        self._count = 0
        self._opened: float | None = None
        self._probing = False
        self._last = ""

    @property
    def state(self) -> State:
        """The state now."""
        with self._lock:
            return self._state()

    def admit(self) -> bool:
        """Whether a call may go through.

        Every admitted call ends with one of ``succeeded``, ``failed`` and ``abandoned``.
        """
        with self._lock:
            state = self._state()
            if state == "closed":
                return True
            if state == "open" or self._probing:
                return False
            self._probing = True
            return True

    def succeeded(self) -> None:
        """An admitted call was answered."""
        with self._lock:
            self._count = 0
            self._opened = None
            self._probing = False

    def failed(self, problem: str) -> None:
        """An admitted call was not answered; ``problem`` says why."""
        with self._lock:
            self._count += 1
            self._last = problem
            if self._probing or self._count >= self._failures:
                self._opened = self._clock()
            self._probing = False

    def abandoned(self) -> None:
        """An admitted call ended in a way that says nothing about the peer."""
        with self._lock:
            self._probing = False

    def describe(self) -> str:
        """The state for people, with the last failure where it is not over."""
        with self._lock:
            state = self._state()
            text = f"circuit {state}"
            if state == "open" and self._opened is not None:
                left = max(0.0, self._pause - (self._clock() - self._opened))
                text += f", next try in {left:.1f} s"
            if self._count:
                text += f", {self._count} failed in a row, the last: {self._last}"
            return text

    def _state(self) -> State:
        if self._opened is None:
            return "closed"
        return "open" if self._clock() - self._opened < self._pause else "half-open"
