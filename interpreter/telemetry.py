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
)
METRICS = (CALLS, CALL_SECONDS, PLUGIN_FAILURES, PLUGIN_QUARANTINED)


class Telemetry:
    """Counts calls; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: defaultdict[tuple[str, str, str], int] = defaultdict(int)
        self._seconds: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._failures: defaultdict[tuple[str], int] = defaultdict(int)
        self._quarantined: set[tuple[str]] = set()

    def record(self, operation: str, tier: str, outcome: str, seconds: float) -> None:
        """Counts one interpretation that took ``seconds``."""
        with self._lock:
            self._calls[operation, tier, outcome] += 1
            self._seconds[operation, tier] += seconds

    def plugin_failed(self, plugin: str) -> None:
        """Counts a call that a plugin failed."""
        with self._lock:
            self._failures[(plugin,)] += 1

    def plugin_quarantined(self, plugin: str) -> None:
        """Notes that a plugin is no longer asked."""
        with self._lock:
            self._quarantined.add((plugin,))

    def snapshot(self) -> dict[str, dict[tuple[str, ...], float]]:
        """Values by metric name and label values."""
        with self._lock:
            calls: dict[tuple[str, ...], float] = dict(self._calls.items())
            seconds: dict[tuple[str, ...], float] = dict(self._seconds.items())
            failures: dict[tuple[str, ...], float] = dict(self._failures.items())
            quarantined: dict[tuple[str, ...], float] = dict.fromkeys(self._quarantined, 1)
        return {
            CALLS.name: calls,
            CALL_SECONDS.name: seconds,
            PLUGIN_FAILURES.name: failures,
            PLUGIN_QUARANTINED.name: quarantined,
        }
