"""Serving processes for tests: started, waited for by their ready file, and ended."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import trustme

ROOT = Path(__file__).parents[2]
#: Seconds for what takes milliseconds on a quiet machine.
PATIENCE = 60.0

DEPLOYMENT: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {
        "name": "web",
        "namespace": "shop",
        "generation": 9007199254740993,
        "annotations": {"resourcetemplate.karmada.io/generation": "7"},
    },
    "spec": {
        "replicas": 3,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {
                "nodeSelector": {"disk": "ssd"},
                "tolerations": [{"key": "dedicated", "operator": "Exists"}],
                "containers": [
                    {"name": "web", "resources": {"requests": {"cpu": "0.1", "memory": "1Gi"}}}
                ],
                "volumes": [{"name": "c", "configMap": {"name": "web-config"}}],
            },
        },
    },
    "status": {"replicas": 3, "readyReplicas": 3, "observedGeneration": 9007199254740993},
}
STATUS_ITEMS = [
    {"clusterName": "a", "status": {"replicas": 1, "readyReplicas": 1}},
    {"clusterName": "b", "status": {"replicas": 2, "readyReplicas": 1}},
]

PLUGIN = '''
"""A plugin for tests."""

import builtins
import os
import threading
import time
from pathlib import Path

from interpreter import Component, Health, NodeClaim, ReplicaRequirements, ReplicaResult, handles


@handles("plugin.example.com/v1", "Widget")
class Widget:
    name = "widgets"

    def get_replicas(self, obj, context):
        claim = NodeClaim({"nodeSelectorTerms": []}, {"disk": "ssd"}, ({"key": "a"},))
        needs = ReplicaRequirements(claim, {"cpu": "1", "memory": "2Gi"}, "shop", "high")
        return ReplicaResult(obj["spec"]["replicas"], needs)

    def get_components(self, obj):
        return [Component("leader", 1), Component("worker", 2, ReplicaRequirements())]

    def interpret_health(self, obj, context):
        return Health("Suspended", "Paused", context.cluster_name, healthy=False)

    def reflect_status(self, obj):
        return obj.get("status", {"nothing": None})


@handles("plugin.example.com/v1", "Sleeper")
class Sleeper:
    """Waits until a file is there; a second one says that it waits."""

    name = "sleepers"

    def get_replicas(self, obj):
        Path(obj["spec"]["started"]).touch()
        end = time.monotonic() + 60
        while not os.path.exists(obj["spec"]["until"]) and time.monotonic() < end:
            time.sleep(0.01)
        return 1


@handles("plugin.example.com/v1", "Failing")
class Failing:
    name = "failing"

    def get_replicas(self, obj):
        raise ValueError("the password is hunter2")

    def get_components(self, obj):
        return 7


@handles("plugin.example.com/v1", "Dying")
class Dying:
    name = "dying"

    def get_replicas(self, obj):
        os._exit(3)


@handles("plugin.example.com/v1", "Rude")
class Rude:
    name = "rude"

    def get_replicas(self, obj):
        raise getattr(builtins, obj["spec"]["raise"])


@handles("plugin.example.com/v1", "Big")
class Big:
    name = "big"

    def reflect_status(self, obj):
        return {"text": "x" * obj["spec"]["bytes"]}

    def get_replicas(self, obj):
        return threading.get_native_id() % 1000 + os.getpid() * 1000
'''

LUA = """
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata: {name: crontab}
spec:
  target: {apiVersion: stable.example.com/v1, kind: CronTab}
  customizations:
    replicaResource:
      luaScript: |
        function GetReplicas(obj)
          return obj.spec.replicas, nil
        end
    replicaRevision:
      luaScript: |
        function ReviseReplica(obj, replicas)
          obj.spec.replicas = replicas
          return obj
        end
    healthInterpretation:
      luaScript: |
        function InterpretHealth(obj)
          while obj.spec.forever do end
          return obj.status.ready
        end
    statusAggregation:
      luaScript: |
        function AggregateStatus(obj, items)
          obj.status = {given = items ~= nil}
          return obj
        end
"""


@dataclass
class Server:
    """A running ``interpret serve``."""

    process: subprocess.Popen[bytes]
    folder: Path
    listeners: dict[str, str] = field(default_factory=dict)

    @property
    def grpc(self) -> str:
        return self.listeners["grpc"]

    @property
    def url(self) -> str:
        return self.grpc if self.grpc.startswith("unix:") else f"grpc://{self.grpc}"

    def logs(self) -> list[dict[str, Any]]:
        text = (self.folder / "stderr").read_text()
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def signal(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def wait(self) -> int:
        return self.process.wait(PATIENCE)


@contextlib.contextmanager
def serving(
    folder: Path,
    *options: str,
    grpc: str = "127.0.0.1:0",
    environment: dict[str, str] | None = None,
) -> Iterator[Server]:
    """Starts a server and waits until it is ready; ends it whatever happens."""
    folder.mkdir(exist_ok=True)
    (folder / "widgets.py").write_text(PLUGIN)
    (folder / "crontab.yaml").write_text(LUA)
    ready = folder / "ready.json"
    ready.unlink(missing_ok=True)
    names = ("Widget", "Sleeper", "Failing", "Dying", "Rude", "Big")
    plugins = [f"--plugins=widgets:{name}" for name in names]
    command = [
        *(sys.executable, "-m", "interpreter", "serve", "--grpc", grpc),
        *("--drain", "0", "--ready-file", str(ready), "-c", str(folder / "crontab.yaml")),
        *plugins,
        *options,
    ]
    paths = os.pathsep.join([str(folder), str(ROOT)])
    with (folder / "stderr").open("wb") as errors, (folder / "stdout").open("wb") as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=errors,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": paths, **(environment or {})},
        )
    server = Server(process, folder)
    try:
        wait_until(lambda: ready.exists() or process.poll() is not None)
        assert process.poll() is None, (folder / "stderr").read_text()
        server.listeners = json.loads(ready.read_text())["listeners"]
        yield server
    finally:
        process.kill()
        process.wait()


def wait_until(happens: Callable[[], Any], what: str = "it never happened") -> Any:
    """Asks again and again until something is true, and returns it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := happens():
            return found
        select.select([], [], [], 0.01)
    raise AssertionError(what)


def pem(folder: Path, leaf: trustme.LeafCert, name: str = "server") -> tuple[Path, Path]:
    """Writes a certificate and its key, each at once, as a tool that renews them would."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    for path, data in (
        (key, leaf.private_key_pem.bytes()),
        (certificate, b"".join(blob.bytes() for blob in leaf.cert_chain_pems)),
    ):
        replace(path, data)
    return certificate, key


def replace(path: Path, data: bytes) -> None:
    temporary = path.with_suffix(".new")
    temporary.write_bytes(data)
    temporary.replace(path)


def health_of(
    address: str, service: str = "", *, credentials: grpc.ChannelCredentials | None = None
) -> int:
    """What grpc.health.v1 says: 1 is SERVING, 2 NOT_SERVING."""
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    channel = (
        grpc.insecure_channel(address)
        if credentials is None
        else grpc.secure_channel(address, credentials)
    )
    with channel:
        request = health_pb2.HealthCheckRequest(service=service)
        return health_pb2_grpc.HealthStub(channel).Check(request, timeout=5).status
