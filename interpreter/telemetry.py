"""Metrics, declared once with name, unit and labels, and the recorder that counts them.

Names and units follow the Prometheus conventions, so that a server can expose them as they are.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric family. ``labels`` are the label names, in the order in which values are given."""

    name: str
    unit: str
    help: str
    labels: tuple[str, ...]


CALLS = Metric(
    "resource_interpreter_calls_total",
    "calls",
    "Interpretations by operation, tier that answered, and outcome (ok, none or error).",
    ("operation", "tier", "outcome"),
)
CALL_SECONDS = Metric(
    "resource_interpreter_call_seconds_total",
    "seconds",
    "Wall time spent in interpretations, by operation and tier that answered.",
    ("operation", "tier"),
)
METRICS = (CALLS, CALL_SECONDS)


class Telemetry:
    """Counts calls; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: defaultdict[tuple[str, str, str], int] = defaultdict(int)
        self._seconds: defaultdict[tuple[str, str], float] = defaultdict(float)

    def record(self, operation: str, tier: str, outcome: str, seconds: float) -> None:
        """Counts one interpretation that took ``seconds``."""
        with self._lock:
            self._calls[operation, tier, outcome] += 1
            self._seconds[operation, tier] += seconds

    def snapshot(self) -> dict[str, dict[tuple[str, ...], float]]:
        """Values by metric name and label values."""
        with self._lock:
            calls: dict[tuple[str, ...], float] = dict(self._calls.items())
            seconds: dict[tuple[str, ...], float] = dict(self._seconds.items())
        return {CALLS.name: calls, CALL_SECONDS.name: seconds}
