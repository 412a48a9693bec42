"""Start, ready, drain, stop: what an operator and a load balancer see of the process."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from serving import DEPLOYMENT, ROOT, Server, health_of, serving, wait_until

from interpreter.errors import EngineError, InvalidObject, PluginError, WebhookError
from interpreter.rpc import Client

SERVICE = "interpreter.v1.ResourceInterpreter"


def sleeper(folder: Path, number: int = 0) -> dict[str, Any]:
    """An object whose count is answered once ``until`` is there."""
    return {
        "apiVersion": "plugin.example.com/v1",
        "kind": "Sleeper",
        "spec": {"started": str(folder / f"started{number}"), "until": str(folder / "until")},
    }


def get(address: str, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://{address}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_the_ready_file_names_process_and_addresses(tmp_path: Path) -> None:
    with serving(tmp_path, "--probe", "127.0.0.1:0", "--metrics", "127.0.0.1:0") as server:
        told = json.loads((tmp_path / "ready.json").read_text())
        assert told["pid"] == server.process.pid
        assert list(told["listeners"]) == ["grpc", "probe", "metrics"]
        assert len({address.rpartition(":")[2] for address in told["listeners"].values()}) == 3
        wait_until(lambda: (tmp_path / "stdout").read_text().count("\n") == 3)
        lines = (tmp_path / "stdout").read_text().splitlines()
        assert lines == [f"{name} listening on {at}" for name, at in told["listeners"].items()]
        server.signal()
        assert server.wait() == 0
        assert not (tmp_path / "ready.json").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda n: n.name)
def test_a_signal_drains_and_lets_calls_end(tmp_path: Path, number: signal.Signals) -> None:
    options = ("--drain", "1", "--grace", "30", "--metrics", "127.0.0.1:0")
    with serving(tmp_path, *options) as server, Client(server.url, timeout=60) as client:
        with ThreadPoolExecutor(1) as threads:
            running = threads.submit(client.get_replicas, sleeper(tmp_path))
            wait_until((tmp_path / "started0").exists)
            assert get(server.listeners["metrics"], "/readyz") == (200, "ok\n")
            server.signal(number)
            wait_until(lambda: health_of(server.grpc) == 2)
            assert health_of(server.grpc, SERVICE) == 2
            assert get(server.listeners["metrics"], "/readyz") == (503, "stopping\n")
            assert get(server.listeners["metrics"], "/livez") == (200, "ok\n")
            # While it drains, it answers: load balancers have not heard of it yet.
            assert client.get_replicas(DEPLOYMENT).replicas == 3
            wait_until(lambda: refused(server))
            assert server.process.poll() is None
            (tmp_path / "until").touch()
            assert running.result(30).replicas == 1
        assert server.wait() == 0


def refused(server: Server) -> bool:
    with Client(server.url, timeout=5) as late:
        try:
            late.get_replicas(DEPLOYMENT)
        except WebhookError as error:
            return error.temporary
    return False


def test_a_call_that_outlives_the_grace_is_cut_and_the_process_ends(tmp_path: Path) -> None:
    with serving(tmp_path, "--grace", "0.3") as server, Client(server.url, timeout=60) as client:
        with ThreadPoolExecutor(1) as threads:
            running = threads.submit(client.get_replicas, sleeper(tmp_path))
            wait_until((tmp_path / "started0").exists)
            server.signal()
            with pytest.raises(WebhookError):
                running.result(30)
        assert server.wait() == 0


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    with serving(tmp_path, "--drain", "600") as server:
        server.signal()
        wait_until(lambda: health_of(server.grpc) == 2)
        started = time.monotonic()
        server.signal()
        assert server.wait() == 128 + signal.SIGTERM
        assert time.monotonic() - started < 5
        assert not (tmp_path / "ready.json").exists()


def test_a_watch_hears_of_the_end(tmp_path: Path) -> None:
    options = ("--drain", "0.5", "--grace", "600")
    with serving(tmp_path, *options) as server, grpc.insecure_channel(server.grpc) as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(
            health_pb2.HealthCheckRequest(service=SERVICE)
        )
        assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
        server.signal()
        assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
        # It would go on for ever: the end does not wait for it.
        assert server.wait() == 0


def test_many_watches_do_not_starve_calls(tmp_path: Path) -> None:
    with serving(tmp_path) as server, grpc.insecure_channel(server.grpc) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        watches = [stub.Watch(health_pb2.HealthCheckRequest()) for _each in range(200)]
        assert all(next(watch).status == 1 for watch in watches)
        with Client(server.url) as client:
            assert client.get_replicas(DEPLOYMENT).replicas == 3
        assert health_of(server.grpc) == 1
        for watch in watches:
            watch.cancel()


def test_health_answers_while_every_worker_is_busy(tmp_path: Path) -> None:
    few = {"RESOURCE_INTERPRETER_SERVE_THREADS": "2"}
    options = ("--max-calls", "4", "--metrics", "127.0.0.1:0", "--probe", "127.0.0.1:0")
    with (
        serving(tmp_path, *options, environment=few) as server,
        Client(server.url, timeout=60) as client,
    ):
        with ThreadPoolExecutor(4) as threads:
            calls = [threads.submit(client.get_replicas, sleeper(tmp_path, n)) for n in range(4)]
            gauge = "resource_interpreter_serving_calls 4.0"
            wait_until(lambda: gauge in get(server.listeners["metrics"], "/metrics")[1])
            assert health_of(server.grpc) == 1
            assert health_of(server.listeners["probe"]) == 1
            with pytest.raises(WebhookError, match=r"more than 4 calls.*serve_max_calls") as caught:
                client.get_replicas(sleeper(tmp_path, 9))
            assert caught.value.temporary
            (tmp_path / "until").touch()
            assert [call.result(30).replicas for call in calls] == [1] * 4
        wait_until(
            lambda: gauge.replace("4.0", "0.0") in get(server.listeners["metrics"], "/metrics")[1]
        )


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "interpreter", "serve", *options],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        check=False,
    )


def test_a_port_that_is_taken_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for flag in ("--grpc", "--metrics"):
            done = run(flag, f"127.0.0.1:{port}")
            assert done.returncode == 2
            assert f"cannot listen on 127.0.0.1:{port}" in done.stderr


def test_a_second_server_does_not_share_the_port(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        done = run("--grpc", server.grpc)
        assert done.returncode == 2
        assert "cannot listen on" in done.stderr
        assert health_of(server.grpc) == 1


@pytest.mark.parametrize(
    ("options", "want"),
    [
        ((), "nothing to serve"),
        (("--grpc", "nonsense"), "no address to listen on"),
        (("--grpc", "127.0.0.1:99999"), "no address to listen on"),
        (("--grpc", "127.0.0.1:0", "--tls-cert", "x"), "belong together"),
        (("--grpc", "127.0.0.1:0", "--client-ca", "x"), "needs --tls-cert"),
        (("--grpc", "127.0.0.1:0", "--allow-client", "x"), "needs --client-ca"),
        (
            ("--grpc", "127.0.0.1:0", "--tls-cert", "/nowhere.pem", "--tls-key", "/nowhere.key"),
            "/nowhere",
        ),
        (("--grpc", "127.0.0.1:0", "--plugins", "no_such_module"), "no plugin named"),
        (("--grpc", "127.0.0.1:0", "--plugins", "json:nothing"), "cannot load the plugin"),
        (("--grpc", "127.0.0.1:0", "--ready-file", "/nowhere/at/all"), "/nowhere/at/all"),
        *(
            (("--http", "127.0.0.1:0", "--self-signed", "--url", url), "--url must be https")
            for url in (
                "https://[::1/",
                "https://host:99999/",
                "https://ho\x1bst/",
                "https://ho st/",
                "https://user:word@host/",
            )
        ),
    ],
)
def test_what_cannot_be_served_is_said_at_once(options: tuple[str, ...], want: str) -> None:
    done = run(*options)
    assert done.returncode == 2
    assert want in done.stderr
    assert "Traceback" not in done.stderr


def test_a_ready_file_that_cannot_be_removed_keeps_no_server_from_stopping(tmp_path: Path) -> None:
    with serving(tmp_path, "--grace", "30") as server:
        with Client(server.url, timeout=60) as client, ThreadPoolExecutor(1) as threads:
            running = threads.submit(client.get_replicas, sleeper(tmp_path))
            wait_until((tmp_path / "started0").exists)
            (tmp_path / "ready.json").unlink()
            (tmp_path / "ready.json").mkdir()
            server.signal()
            wait_until(lambda: "cannot remove" in (tmp_path / "stderr").read_text())
            (tmp_path / "until").touch()
            assert running.result(30).replicas == 1
        assert server.wait() == 0


@pytest.mark.parametrize("processes", ["0", "1"])
def test_a_plugin_that_interrupts_the_process_ends_its_call_alone(
    tmp_path: Path, processes: str
) -> None:
    rude = {"apiVersion": "plugin.example.com/v1", "kind": "Rude"}
    with serving(tmp_path, "--processes", processes) as server, Client(server.url) as client:
        for name, error in (("KeyboardInterrupt", EngineError), ("GeneratorExit", PluginError)):
            with pytest.raises(error):
                client.get_replicas({**rude, "spec": {"raise": name}})
        assert client.get_replicas(DEPLOYMENT).replicas == 3
        server.signal()
        assert server.wait() == 0


def test_a_unix_socket_serves_and_goes_with_the_server(tmp_path: Path) -> None:
    path = tmp_path / "interpreter.sock"
    with serving(tmp_path, grpc=f"unix:{path}") as server:
        with Client(f"unix:{path}") as client, Client(f"unix://{path}") as other:
            assert client.get_replicas(DEPLOYMENT) == other.get_replicas(DEPLOYMENT)
        taken = run("--grpc", f"unix:{path}")
        assert taken.returncode == 2
        assert "somebody listens there already" in taken.stderr
        with Client(f"unix:{path}") as client:
            assert client.get_replicas(DEPLOYMENT).replicas == 3
        server.signal()
        assert server.wait() == 0
        assert not path.exists()


def test_a_socket_that_a_killed_server_left_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "interpreter.sock"
    with serving(tmp_path, grpc=f"unix:{path}") as server:
        server.signal(signal.SIGKILL)
        server.wait()
    assert path.exists()
    with serving(tmp_path, grpc=f"unix:{path}"), Client(f"unix:{path}") as client:
        assert client.get_replicas(DEPLOYMENT).replicas == 3


def test_metrics_are_what_prometheus_reads(server: Server, client: Client) -> None:
    from prometheus_client.parser import text_string_to_metric_families

    client.get_replicas(DEPLOYMENT)
    status, text = get(server.listeners["metrics"], "/metrics")
    assert status == 200
    families = {family.name: family for family in text_string_to_metric_families(text)}
    calls = {
        tuple(sorted(sample.labels.items())): sample.value
        for sample in families["resource_interpreter_served"].samples
        if sample.name.endswith("_total")
    }
    key = (("code", "OK"), ("method", "GetReplicas"), ("protocol", "grpc"))
    assert calls[key] >= 1
    buckets = [
        sample
        for sample in families["resource_interpreter_served_seconds"].samples
        if sample.labels.get("method") == "GetReplicas" and sample.name.endswith("_bucket")
    ]
    values = [sample.value for sample in buckets]
    assert values == sorted(values)
    assert buckets[-1].labels["le"] == "+Inf"
    assert {"resource_interpreter_calls", "process_cpu_seconds", "python_gc_collections"} <= set(
        families
    )
    assert get(server.listeners["metrics"], "/nonsense")[0] == 404


def test_workers_in_processes_answer_and_count(tmp_path: Path) -> None:
    options = ("--processes", "2", "--metrics", "127.0.0.1:0")
    with serving(tmp_path, *options) as server, Client(server.url) as client:
        assert client.get_replicas(DEPLOYMENT).replicas == 3
        big = {"apiVersion": "plugin.example.com/v1", "kind": "Big"}
        answered_by = client.get_replicas(big).replicas // 1000
        assert answered_by != server.process.pid
        with pytest.raises(PluginError):
            client.get_replicas({**big, "kind": "Failing"})
        client.get_replicas(DEPLOYMENT)
        text = get(server.listeners["metrics"], "/metrics")[1]
        assert 'calls_total{operation="GetReplicas",outcome="ok",tier="plugin"} 1.0' in text
        server.signal()
        assert server.wait() == 0
        wait_until(lambda: not Path(f"/proc/{answered_by}").exists())


def test_a_worker_process_that_dies_is_replaced(tmp_path: Path) -> None:
    with serving(tmp_path, "--processes", "2") as server, Client(server.url) as client:
        with pytest.raises(EngineError, match="ended in mid-call") as caught:
            client.get_replicas({"apiVersion": "plugin.example.com/v1", "kind": "Dying"})
        assert caught.value.temporary
        assert client.get_replicas(DEPLOYMENT).replicas == 3
        server.signal()
        assert server.wait() == 0


def test_a_signal_to_everybody_leaves_workers_to_finish(tmp_path: Path) -> None:
    with serving(tmp_path, "--processes", "1", "--grace", "30") as server:
        with Client(server.url, timeout=60) as client, ThreadPoolExecutor(1) as threads:
            running = threads.submit(client.get_replicas, sleeper(tmp_path))
            wait_until((tmp_path / "started0").exists)
            server.signal()
            for number in (signal.SIGTERM, signal.SIGINT):
                for worker in children(server.process.pid):
                    os.kill(worker, number)
            (tmp_path / "until").touch()
            assert running.result(30).replicas == 1
        assert server.wait() == 0


def children(pid: int) -> list[int]:
    """Processes that a process has started (Linux)."""
    text = Path(f"/proc/{pid}/task/{pid}/children")
    found = [int(child) for child in text.read_text().split()] if text.exists() else []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(child) for child in task.read_text().split()]
    return found


def test_workers_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path, "--processes", "2") as server, Client(server.url) as client:
        big = {"apiVersion": "plugin.example.com/v1", "kind": "Big"}
        worker = client.get_replicas(big).replicas // 1000
        server.signal(signal.SIGKILL)
        server.wait()
        wait_until(lambda: not Path(f"/proc/{worker}").exists())


def test_a_plugin_that_fails_in_a_worker_process_is_logged_without_its_text(tmp_path: Path) -> None:
    failing = {"apiVersion": "plugin.example.com/v1", "kind": "Failing"}
    with serving(tmp_path, "--processes", "1") as server, Client(server.url) as client:
        with pytest.raises(PluginError) as caught:
            client.get_replicas(failing)
        assert caught.value.plugin == "failing"
        with pytest.raises(InvalidObject):
            client.get_replicas({**DEPLOYMENT, "spec": {"replicas": "hunter2"}})
        errors = [line for line in server.logs() if line["level"] == "error"]
        assert [line["message"] for line in errors] == ["answer_call failed: ValueError"]
        assert any("widgets.py" in frame for frame in errors[0]["frames"])
        assert len(errors[0]["request_id"]) == 16
        with pytest.raises(PluginError):
            client.get_components(failing)
        *_, unusable = [line for line in server.logs() if line["level"] == "error"]
        assert "plugin 'failing' returned an unusable answer: must be a list" in unusable["message"]
        assert "hunter2" not in (tmp_path / "stderr").read_text()


def test_scripts_in_processes_of_their_own_answer(tmp_path: Path) -> None:
    crontab = {
        "apiVersion": "stable.example.com/v1",
        "kind": "CronTab",
        "spec": {"replicas": 4},
    }
    with serving(tmp_path, "--isolation", "process") as server, Client(server.url) as client:
        assert client.get_replicas(crontab).replicas == 4
        server.signal()
        assert server.wait() == 0


def test_plain_text_beyond_this_machine_is_warned_of(tmp_path: Path) -> None:
    with serving(tmp_path, grpc="0.0.0.0:0") as server:
        assert any("plain text" in line["message"] for line in server.logs())
