"""What is counted: counters, gauges and histograms, and their way out of a worker process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from interpreter.telemetry import (
    CALLS,
    METRICS,
    PLUGIN_QUARANTINED,
    SERVED,
    SERVED_SECONDS,
    SERVING,
    WEBHOOK_CIRCUIT,
    Telemetry,
)


def test_counters_add_and_gauges_are_set() -> None:
    found = Telemetry()
    found.add(SERVED, ("grpc", "Prune", "OK"))
    found.add(SERVED, ("grpc", "Prune", "OK"), 2)
    found.set(SERVING, value=3)
    found.set(SERVING, value=1)
    snapshot = found.snapshot()
    assert snapshot[SERVED.name] == {("grpc", "Prune", "OK"): 3}
    assert snapshot[SERVING.name] == {(): 1}
    assert set(snapshot) == {metric.name for metric in METRICS}


@pytest.mark.parametrize(
    ("value", "bucket"),
    [(0.00005, 0), (0.0001, 0), (0.00011, 1), (1, 12), (30, 14), (31, 15)],
)
def test_a_histogram_counts_up_to_and_with_its_bound(value: float, bucket: int) -> None:
    found = Telemetry()
    found.observe(SERVED_SECONDS, ("grpc", "Prune"), value=value)
    (seen,) = found.distributions(SERVED_SECONDS).values()
    assert seen.counts.index(1) == bucket
    assert (sum(seen.counts), seen.total) == (1, value)


def test_what_a_worker_counted_is_taken_once() -> None:
    worker, server = Telemetry(), Telemetry()
    for _each in range(2):
        worker.record("Prune", "native", "ok", 0.5)
        server.merge(worker.take())
        server.merge(worker.take())
    assert server.snapshot()[CALLS.name] == {("Prune", "native", "ok"): 2}


def test_of_the_gauges_of_workers_the_largest_counts_until_they_are_gone() -> None:
    first, second, server = Telemetry(), Telemetry(), Telemetry()
    labels = ("fragile",)
    for number, worker in enumerate((first, second)):
        worker.set(PLUGIN_QUARANTINED, labels, value=1)
        worker.set(WEBHOOK_CIRCUIT, labels, value=number)
        server.merge(worker.take(), source=number)
    assert server.snapshot()[PLUGIN_QUARANTINED.name] == {labels: 1}
    assert server.snapshot()[WEBHOOK_CIRCUIT.name] == {labels: 1}
    second.set(WEBHOOK_CIRCUIT, labels, value=0)
    server.merge(second.take(), source=1)
    assert server.snapshot()[WEBHOOK_CIRCUIT.name] == {labels: 0}
    assert second.take()[PLUGIN_QUARANTINED.name] == {labels: 1}
    server.forget()
    assert server.snapshot()[PLUGIN_QUARANTINED.name] == {}


def test_threads_lose_nothing() -> None:
    found = Telemetry()
    with ThreadPoolExecutor(8) as threads:
        for _each in range(8):
            threads.submit(lambda: [found.add(SERVED, ("a", "b", "c")) for _n in range(5_000)])
    assert found.snapshot()[SERVED.name] == {("a", "b", "c"): 40_000}


def test_names_and_units_follow_prometheus() -> None:
    for metric in METRICS:
        assert metric.name.startswith("resource_interpreter_")
        assert metric.name.endswith("_total") == (metric.kind == "counter")
        assert bool(metric.buckets) == (metric.kind == "histogram")
        assert list(metric.buckets) == sorted(metric.buckets)
        assert metric.help.endswith(".")
        for unit in ("seconds", "bytes"):
            assert (unit in metric.name) == (metric.unit == unit)
