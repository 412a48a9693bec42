"""``/metrics`` for Prometheus, and ``/livez`` and ``/readyz``, over plain HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from interpreter import telemetry
from interpreter.server.asgi import AsgiListener
from interpreter.telemetry import READY, Telemetry

_Send = Callable[[dict[str, Any]], Awaitable[None]]


class _Collector(Collector):
    """The families of ``interpreter.telemetry``, as Prometheus knows them."""

    def __init__(self, recorder: Telemetry) -> None:
        self._recorder = recorder

    def collect(self) -> Iterable[Metric]:
        values = self._recorder.snapshot()
        for metric in telemetry.METRICS:
            if metric.kind == "histogram":
                yield self._histogram(metric)
                continue
            kind = GaugeMetricFamily if metric.kind == "gauge" else CounterMetricFamily
            family = kind(metric.name, metric.help, labels=metric.labels)
            for labels, value in values[metric.name].items():
                family.add_metric(labels, value)
            yield family

    def _histogram(self, metric: telemetry.Metric) -> HistogramMetricFamily:
        family = HistogramMetricFamily(metric.name, metric.help, labels=metric.labels)
        for labels, seen in self._recorder.distributions(metric).items():
            family.add_metric(labels, list(_cumulated(metric, seen)), seen.total)
        return family


def _cumulated(
    metric: telemetry.Metric, seen: telemetry.Distribution
) -> Iterator[tuple[str, float]]:
    total = 0
    bounds = [*map(str, map(float, metric.buckets)), "+Inf"]
    for bound, count in zip(bounds, seen.counts, strict=True):
        total += count
        yield bound, total


class MetricsListener(AsgiListener):
    """Answers ``/metrics``, ``/livez`` (it runs) and ``/readyz`` (it takes calls)."""

    def __init__(self, recorder: Telemetry, address: str, *, grace_seconds: float) -> None:
        """Opens nothing yet; see ``AsgiListener``."""
        super().__init__(self._answer, address, name="metrics", grace_seconds=grace_seconds)
        self._recorder = recorder
        self._registry = CollectorRegistry()
        self._registry.register(_Collector(recorder))
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self._registry)

    def start(self) -> None:
        """Listens; it is the last listener to start, so that all are ready."""
        super().start()
        self._recorder.set(READY, value=1)

    def drain(self) -> None:
        """From now on ``/readyz`` says no."""
        self._recorder.set(READY, value=0)

    async def _answer(self, scope: dict[str, Any], _receive: Any, send: _Send) -> None:
        if scope["type"] != "http":
            return
        if scope["method"] not in ("GET", "HEAD"):
            await _respond(send, 405, b"method not allowed\n", ((b"allow", b"GET, HEAD"),))
        elif scope["path"] == "/metrics":
            accept = b",".join(value for key, value in scope["headers"] if key == b"accept")
            encoder, content_type = choose_encoder(accept.decode("latin-1"))
            kind = (b"content-type", content_type.encode())
            await _respond(send, 200, encoder(self._registry), (kind,))
        elif scope["path"] == "/livez":
            await _respond(send, 200, b"ok\n")
        elif scope["path"] == "/readyz":
            ready = bool(self._recorder.snapshot()[READY.name].get(()))
            await _respond(send, 200 if ready else 503, b"ok\n" if ready else b"stopping\n")
        else:
            await _respond(send, 404, b"/metrics, /livez or /readyz\n")


async def _respond(
    send: _Send, status: int, body: bytes, headers: tuple[tuple[bytes, bytes], ...] = ()
) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [length, *headers]})
    await send({"type": "http.response.body", "body": body})
