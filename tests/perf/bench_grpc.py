"""Cost of calls over gRPC on loopback, next to an empty echo service of the same grpcio.

Prints calls a second, p50 and p99 of a call, and CPU a call; asserts nothing. Both servers are
processes of their own, and each round measures one after the other, so that only ratios count. The
target is at most 1.6 times the echo's CPU a call, of server and client together and of the server
alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
from bench_native import deployment

from interpreter import Operation
from interpreter.rpc.conversion import METHODS, build_request

ROUNDS = 9
CALLS = 1500
CLIENTS = 4
TARGET = 1.6
_TICK = 1 / os.sysconf("SC_CLK_TCK")

ECHO = """
import asyncio, sys, grpc

async def echo(request, context):
    return request

async def main():
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    handlers = {"Echo": grpc.unary_unary_rpc_method_handler(echo)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("echo.Echo", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"echo listening on 127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()

asyncio.run(main())
"""


@contextlib.contextmanager
def server(*command: str) -> Iterator[tuple[int, str]]:
    """A server process: its id and address."""
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        yield process.pid, process.stdout.readline().split()[-1]
    finally:
        process.kill()
        process.wait()


def cpu_seconds(pid: int) -> float:
    """User and system time of a process (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * _TICK


def measure(pid: int, call: Callable[[bytes], Any], request: bytes) -> dict[str, Any]:
    """One round: CPU seconds of both sides, wall seconds, and the seconds of each call."""

    def timed(_number: int) -> float:
        started = time.perf_counter()
        call(request)
        return time.perf_counter() - started

    before, own, started = cpu_seconds(pid), time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as clients:
        seconds = list(clients.map(timed, range(CALLS)))
    return {
        "wall": time.perf_counter() - started,
        "client": time.process_time() - own,
        "server": cpu_seconds(pid) - before,
        "calls": seconds,
    }


def requests() -> dict[Operation, bytes]:
    """The requests of the benchmark's Deployment."""
    obj = deployment()
    status = {"observedGeneration": 7, "replicas": 3, "readyReplicas": 3, "updatedReplicas": 3}
    items = [{"clusterName": f"member{number}", "status": status} for number in range(3)]
    arguments: dict[Operation, tuple[Any, ...]] = {
        Operation.GET_REPLICAS: (obj,),
        Operation.AGGREGATE_STATUS: (obj, items),
    }
    return {
        operation: build_request(operation, given, None).SerializeToString()
        for operation, given in arguments.items()
    }


def main() -> None:
    """Measures and prints."""
    ours = server("-m", "interpreter", "serve", "--grpc", "127.0.0.1:0", "--drain", "0")
    with server("-c", ECHO) as (echo_pid, echo_address), ours as (pid, address):
        echo_channel = grpc.insecure_channel(echo_address)
        channel = grpc.insecure_channel(address)
        echo = echo_channel.unary_unary("/echo.Echo/Echo")
        print(
            f"grpcio {grpc.__version__}; {ROUNDS} interleaved rounds of {CALLS} calls "
            f"from {CLIENTS} threads; Deployment of {len(json.dumps(deployment()))} bytes"
        )
        print(
            "call              calls/s  p50 us  p99 us  server us  both us   server    both  target"
        )
        for operation, request in requests().items():
            call = channel.unary_unary(METHODS[operation].path)
            kinds = {"echo": (echo_pid, echo), str(operation): (pid, call)}
            for process, ask in kinds.values():
                measure(process, ask, request)
            rounds = {name: [] for name in kinds}
            for _round in range(ROUNDS):
                for name, (process, ask) in kinds.items():
                    rounds[name].append(measure(process, ask, request))
            report(rounds, str(operation))


def report(rounds: dict[str, list[dict[str, Any]]], name: str) -> None:
    """Prints the echo's row and ours, with the ratio of CPU a call."""
    costs = {}
    for kind, found in rounds.items():
        server_cost = sum(each["server"] for each in found) / len(found) / CALLS * 1e6
        both = server_cost + sum(each["client"] for each in found) / len(found) / CALLS * 1e6
        costs[kind] = (server_cost, both)
        calls = sorted(second for each in found for second in each["calls"])
        rate = statistics.median(CALLS / each["wall"] for each in found)
        p50, p99 = calls[len(calls) // 2] * 1e6, calls[len(calls) * 99 // 100] * 1e6
        ratios = ""
        if kind == name:
            pairs = zip(costs[name], costs["echo"], strict=True)
            ratios = "  ".join(f"{own / other:6.2f}" for own, other in pairs) + f"  {TARGET:6.1f}"
        print(f"{kind:<16}{rate:9.0f}{p50:8.0f}{p99:8.0f}{server_cost:11.0f}{both:9.0f}   {ratios}")


if __name__ == "__main__":
    main()
