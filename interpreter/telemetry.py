"""Metrics, declared once with name, unit and labels, and the recorder that counts them.

Names and units follow the Prometheus conventions, so that a server can expose them as they are.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric family. ``labels`` are the label names, in the order in which values are given.

    A counter only grows; a gauge is the last value that was set.
    """

    name: str
    unit: str
    help: str
    labels: tuple[str, ...]
    kind: Literal["counter", "gauge"] = "counter"


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
WEBHOOK_CALLS = Metric(
    "resource_interpreter_webhook_calls_total",
    "calls",
    "Calls of webhooks by webhook and outcome (ok, error or next_tier).",
    ("webhook", "outcome"),
)
WEBHOOK_RETRIES = Metric(
    "resource_interpreter_webhook_retries_total",
    "tries",
    "Further tries of calls that a webhook did not take.",
    ("webhook",),
)
WEBHOOK_CIRCUIT = Metric(
    "resource_interpreter_webhook_circuit_state",
    "state",
    "Circuit of a webhook: 0 closed, 1 half-open, 2 open.",
    ("webhook",),
    "gauge",
)
METRICS = (CALLS, CALL_SECONDS, WEBHOOK_CALLS, WEBHOOK_RETRIES, WEBHOOK_CIRCUIT)


class Telemetry:
    """Counts what happens; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: defaultdict[tuple[str, str, str], int] = defaultdict(int)
        self._seconds: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._others: defaultdict[str, dict[tuple[str, ...], float]] = defaultdict(dict)

    def record(self, operation: str, tier: str, outcome: str, seconds: float) -> None:
        """Counts one interpretation that took ``seconds``."""
        with self._lock:
            self._calls[operation, tier, outcome] += 1
            self._seconds[operation, tier] += seconds

    def add(self, metric: Metric, labels: tuple[str, ...] = (), amount: float = 1) -> None:
        """Adds to a counter; ``labels`` are the values of its labels, in their order."""
        with self._lock:
            values = self._others[metric.name]
            values[labels] = values.get(labels, 0) + amount

    def set(self, metric: Metric, labels: tuple[str, ...] = (), *, value: float) -> None:
        """Sets a gauge."""
        with self._lock:
            self._others[metric.name][labels] = value

    def snapshot(self) -> dict[str, dict[tuple[str, ...], float]]:
        """Values by metric name and label values."""
        with self._lock:
            calls: dict[tuple[str, ...], float] = dict(self._calls.items())
            seconds: dict[tuple[str, ...], float] = dict(self._seconds.items())
            others = {name: dict(values) for name, values in self._others.items()}
        return {CALLS.name: calls, CALL_SECONDS.name: seconds, **others}
