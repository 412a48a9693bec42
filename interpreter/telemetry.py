"""Metrics, declared once with name, unit and labels, and the recorder that counts them.

Names and units follow the Prometheus conventions, so that a server can expose them as they are.
"""

from __future__ import annotations

import bisect
import threading
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric family.

    Attributes:
        name: Name; a counter's ends in ``_total``.
        unit: What one of it is.
        help: One sentence.
        labels: Label names, in the order in which values are given.
        kind: How values combine.
        buckets: Upper bounds of a histogram, ascending; the last one, infinity, is implied.
    """

    name: str
    unit: str
    help: str
    labels: tuple[str, ...]
    kind: Literal["counter", "gauge", "histogram"] = "counter"
    buckets: tuple[float, ...] = ()


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
PLUGIN_FAILURES = Metric(
    "resource_interpreter_plugin_failures_total",
    "calls",
    "Calls of plugins that raised, or gave an unusable answer.",
    ("plugin",),
)
PLUGIN_QUARANTINED = Metric(
    "resource_interpreter_plugin_quarantined",
    "plugins",
    "1 for a plugin that is no longer asked because it only failed.",
    ("plugin",),
    "gauge",
)
SERVED = Metric(
    "resource_interpreter_served_total",
    "calls",
    "Calls that a server answered, by protocol, method and status code.",
    ("protocol", "method", "code"),
)
SERVED_SECONDS = Metric(
    "resource_interpreter_served_seconds",
    "seconds",
    "Wall time of a served call from a worker's start to its answer, by protocol and method.",
    ("protocol", "method"),
    "histogram",
    # From a native answer (50 us) to a script's deadline (1 s) and the longest webhook (30 s).
    (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 30),
)
SERVED_BYTES = Metric(
    "resource_interpreter_served_bytes_total",
    "bytes",
    "Bytes of messages, without framing, by protocol and direction (received or sent).",
    ("protocol", "direction"),
)
SERVING = Metric(
    "resource_interpreter_serving_calls",
    "calls",
    "Calls that wait for a worker or run.",
    (),
    "gauge",
)
TLS_RELOADS = Metric(
    "resource_interpreter_tls_reloads_total",
    "reloads",
    "Changed certificate files by outcome (ok, or failed: the old certificates stay).",
    ("outcome",),
)
READY = Metric(
    "resource_interpreter_ready",
    "1 or 0",
    "Whether the server takes calls.",
    (),
    "gauge",
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
METRICS = (
    CALLS,
    CALL_SECONDS,
    SERVED,
    SERVED_SECONDS,
    SERVED_BYTES,
    SERVING,
    TLS_RELOADS,
    READY,
    WEBHOOK_CALLS,
    WEBHOOK_RETRIES,
    WEBHOOK_CIRCUIT,
    PLUGIN_FAILURES,
    PLUGIN_QUARANTINED,
)

_GAUGES = frozenset(metric.name for metric in METRICS if metric.kind == "gauge")

Labels = tuple[str, ...]
#: Values by metric name and label values.
Recorded = dict[str, dict[Labels, float]]


@dataclass(frozen=True, slots=True)
class Distribution:
    """What a histogram has seen: counts by bucket (the last is infinity) and the sum."""

    counts: tuple[int, ...]
    total: float


class Telemetry:
    """Counts; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: defaultdict[str, defaultdict[Labels, float]] = defaultdict(
            lambda: defaultdict(int)
        )
        self._counts: dict[str, dict[Labels, list[int]]] = defaultdict(dict)
        #: Gauges of other recorders, by recorder.
        self._others: dict[int, Recorded] = {}

    def record(self, operation: str, tier: str, outcome: str, seconds: float) -> None:
        """Counts one interpretation that took ``seconds``."""
        with self._lock:
            self._values[CALLS.name][operation, tier, outcome] += 1
            self._values[CALL_SECONDS.name][operation, tier] += seconds

    def add(self, metric: Metric, labels: Labels = (), amount: float = 1) -> None:
        """Adds to a counter or gauge."""
        with self._lock:
            self._values[metric.name][labels] += amount

    def set(self, metric: Metric, labels: Labels = (), *, value: float) -> None:
        """Sets a gauge."""
        with self._lock:
            self._values[metric.name][labels] = value

    def observe(self, metric: Metric, labels: Labels = (), *, value: float) -> None:
        """Counts a value in a histogram."""
        bucket = bisect.bisect_left(metric.buckets, value)
        with self._lock:
            counts = self._counts[metric.name].get(labels)
            if counts is None:
                counts = self._counts[metric.name][labels] = [0] * (len(metric.buckets) + 1)
            counts[bucket] += 1
            self._values[metric.name][labels] += value

    def take(self) -> Recorded:
        """What counters hold since the last time, and gauges now, for another process."""
        with self._lock:
            taken: Recorded = {name: dict(values) for name, values in self._values.items()}
            for name in self._values.keys() - _GAUGES:
                del self._values[name]
        return taken

    def merge(self, recorded: Recorded, *, source: int = 0) -> None:
        """Adds what another recorder took: counters add up, of gauges the largest one counts.

        Args:
            recorded: What it took.
            source: Which recorder it is, such as the id of its process.
        """
        with self._lock:
            for name, values in recorded.items():
                if name in _GAUGES:
                    self._others.setdefault(source, {})[name] = values
                    continue
                for labels, amount in values.items():
                    self._values[name][labels] += amount

    def forget(self) -> None:
        """Forgets the gauges of other recorders, which are gone."""
        with self._lock:
            self._others.clear()

    def snapshot(self) -> Recorded:
        """Values by metric name and label values; a histogram's value is its sum."""
        with self._lock:
            found: Recorded = {name: dict(values) for name, values in self._values.items()}
            for recorded in self._others.values():
                for name, values in recorded.items():
                    known = found.setdefault(name, {})
                    for labels, value in values.items():
                        known[labels] = max(value, known.get(labels, value))
        for metric in METRICS:
            found.setdefault(metric.name, {})
        return found

    def distributions(self, metric: Metric) -> dict[Labels, Distribution]:
        """What a histogram has seen, by label values."""
        with self._lock:
            return {
                labels: Distribution(tuple(counts), self._values[metric.name][labels])
                for labels, counts in self._counts[metric.name].items()
            }
