"""``interpret serve`` as a process, and a client of its HTTP listener."""

from __future__ import annotations

import json
import os
import signal
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trustme
import urllib3

ROOT = Path(__file__).parents[2]

WIDGET: dict[str, Any] = {
    "apiVersion": "example.com/v1",
    "kind": "Widget",
    "metadata": {"name": "w", "namespace": "shop"},
    "spec": {"replicas": 2},
}

#: A plugin module; a server finds it on its import path.
PLUGIN = """
import os, signal, time
from interpreter import (
    NO_STATUS, Component, DependentObjectReference, ReplicaRequirements, ReplicaResult, handles,
)


@handles("example.com/v1", "Widget")
class Widgets:
    name = "widgets"

    def get_replicas(self, obj):
        wanted = obj["spec"].get("do")
        if wanted == "raise":
            raise RuntimeError("secret " + obj["spec"].get("secret", ""))
        if wanted == "sleep":
            time.sleep(obj["spec"]["seconds"])
        if wanted == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if wanted == "pass":
            return None
        needs = ReplicaRequirements(resource_request={"cpu": "100m"})
        return ReplicaResult(obj["spec"]["replicas"], needs)

    def get_components(self, obj):
        return [Component("a", 1), Component("b", obj["spec"]["replicas"])]

    def revise_replica(self, obj, replicas):
        obj["spec"]["replicas"] = replicas
        return obj

    def retain(self, desired, observed):
        desired["spec"]["replicas"] = observed["spec"]["replicas"]
        return desired

    def aggregate_status(self, obj, items):
        obj["status"] = {"members": [item["clusterName"] for item in items or []]}
        return obj

    def reflect_status(self, obj):
        return obj.get("status", NO_STATUS)

    def interpret_health(self, obj):
        return obj.get("status", {}).get("ready") is True

    def get_dependencies(self, obj):
        return [DependentObjectReference("v1", "ConfigMap", "shop", "settings")]
"""


@dataclass
class Certificates:
    """Files of a test's own authority."""

    folder: Path
    authority: trustme.CA = field(default_factory=trustme.CA)

    def issue(self, *names: str, authority: trustme.CA | None = None) -> None:
        """Writes (or replaces) the server's certificate and the authority's."""
        issuer = authority or self.authority
        made = issuer.issue_cert(*(names or ("localhost", "127.0.0.1")))
        chain = b"".join(blob.bytes() for blob in made.cert_chain_pems)
        for path, content in (
            (self.certificate, chain),
            (self.key, made.private_key_pem.bytes()),
            (self.ca, issuer.cert_pem.bytes()),
        ):
            fresh = path.with_suffix(".new")
            fresh.write_bytes(content)
            fresh.replace(path)

    @property
    def certificate(self) -> Path:
        return self.folder / "tls.crt"

    @property
    def key(self) -> Path:
        return self.folder / "tls.key"

    @property
    def ca(self) -> Path:
        return self.folder / "ca.crt"

    def client_context(self, *names: str) -> ssl.SSLContext:
        """A client's context; with names it shows a certificate."""
        context = ssl.create_default_context()
        self.authority.configure_trust(context)
        if names:
            self.authority.issue_cert(*names).configure_cert(context)
        return context


class Server:
    """A serving process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.addresses: dict[str, str] = {}
        self.errors: list[str] = []
        self._reader = threading.Thread(target=self._read_errors)
        self._reader.start()

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line)

    def wait_for(self, name: str) -> str:
        """Reads announcements until the listener's; returns its address."""
        assert self.process.stdout is not None
        while name not in self.addresses:
            line = self.process.stdout.readline()
            if not line:
                self.process.wait()
                self._reader.join()
                raise AssertionError("".join(self.errors))
            listener, _listening, address = line.strip().partition(" listening on ")
            self.addresses[listener] = address
        return self.addresses[name]

    @property
    def port(self) -> int:
        return int(self.wait_for("https").rpartition(":")[2])

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}/interpret"

    def stop(self) -> int:
        """Ends it as Kubernetes does; returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(30)
        self._reader.join()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        return code


@contextmanager
def serving(*arguments: str, folder: Path, **environment: str) -> Iterator[Server]:
    """A server with the plugin above on its import path; ended when the context ends."""
    (folder / "widgets.py").write_text(PLUGIN)
    path = os.pathsep.join([str(ROOT), str(folder)])
    process = subprocess.Popen(
        [sys.executable, "-m", "interpreter", "serve", "--drain", "0", *arguments],
        env={**os.environ, "PYTHONPATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    server = Server(process)
    try:
        yield server
    finally:
        server.stop()


def request(operation: str, obj: Any = WIDGET, **more: Any) -> dict[str, Any]:
    """A request as Karmada sends it."""
    group, _slash, version = obj["apiVersion"].rpartition("/")
    return {
        "kind": "ResourceInterpreterContext",
        "apiVersion": "config.karmada.io/v1alpha1",
        "request": {
            "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
            "kind": {"group": group, "version": version, "kind": obj["kind"]},
            "name": obj["metadata"]["name"],
            "namespace": obj["metadata"].get("namespace", ""),
            "operation": operation,
            "object": obj,
            "replicas": 0,
            **more,
        },
    }


class Client:
    """Posts to a server's HTTP listener."""

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        self.pool = urllib3.HTTPSConnectionPool(
            "localhost", port, ssl_context=context, maxsize=32, retries=False, timeout=60
        )

    def send(self, body: bytes, **options: Any) -> urllib3.BaseHTTPResponse:
        headers = {"Content-Type": "application/json", **options.pop("headers", {})}
        path = options.pop("path", "/interpret?timeout=10s")
        method = options.pop("method", "POST")
        return self.pool.request(method, path, body=body, headers=headers, **options)

    def post(self, document: Any, **options: Any) -> dict[str, Any]:
        """The response part of the answer to a document."""
        answer = self.send(json.dumps(document).encode(), **options)
        assert answer.status == 200, answer.data
        assert answer.headers["content-type"] == "application/json"
        found: dict[str, Any] = json.loads(answer.data)
        assert found["kind"] == "ResourceInterpreterContext"
        assert found["apiVersion"] == "config.karmada.io/v1alpha1"
        response: dict[str, Any] = found["response"]
        return response

    def ask(self, operation: str, obj: Any = WIDGET, **more: Any) -> dict[str, Any]:
        response = self.post(request(operation, obj, **more))
        assert response.pop("uid") == "705ab4f5-6393-11e8-b7cc-42010a800002"
        return response

    def close(self) -> None:
        self.pool.close()
