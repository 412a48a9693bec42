"""CPU time of ``interpret health`` on a dump of 10 000 objects, in JSON and in YAML.

The dump is made up: Deployments with their ReplicaSet and Pods, kinds of the catalogue, a kind that
only conventions know, and data. Prints seconds and the ratio to reading the same text with
``json.loads``; asserts nothing.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench_native import deployment, status

from interpreter.codec import yaml

OBJECTS = 10_000
ROUNDS = 3
#: CPU seconds.
TARGET = 5.0
_PODS = 3


def family(number: int) -> list[dict[str, Any]]:
    """Ten objects: a Deployment with what it owns, custom resources, data."""
    name = f"web-{number}"
    namespace = f"team-{number % 40}"

    def made(obj: dict[str, Any], suffix: str = "", owner: dict[str, Any] | None = None) -> Any:
        metadata = {
            "name": name + suffix,
            "namespace": namespace,
            "uid": f"{obj['kind']}-{number}{suffix}",
            "generation": 7,
        }
        if owner is not None:
            metadata["ownerReferences"] = [
                {
                    "apiVersion": owner["apiVersion"],
                    "kind": owner["kind"],
                    "name": owner["metadata"]["name"],
                    "uid": owner["metadata"]["uid"],
                    "controller": True,
                }
            ]
        return {**obj, "metadata": {**obj.get("metadata", {}), **metadata}}

    top = made(deployment())
    template = top["spec"]["template"]["spec"]
    ready = [{"type": "Ready", "status": "True", "reason": "Ready", "message": "it's up to date"}]
    replica_set = made(
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "spec": {**top["spec"]},
            "status": {"observedGeneration": 7, **status(3)},
        },
        "-5f6b",
        top,
    )
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "spec": template,
        "status": {"phase": "Running", "podIP": "10.0.0.1", "conditions": ready},
    }
    return [
        top,
        replica_set,
        *(made(pod, f"-5f6b-{letter}", replica_set) for letter in "abc"[:_PODS]),
        made(
            {
                "apiVersion": "cert-manager.io/v1",
                "kind": "Certificate",
                "spec": {"secretName": name},
                "status": {"conditions": ready, "notAfter": "2030-01-01T00:00:00Z"},
            }
        ),
        made(
            {
                "apiVersion": "argoproj.io/v1alpha1",
                "kind": "Rollout",
                "spec": {"replicas": 3},
                "status": {"phase": "Healthy", "observedGeneration": "7", **status(3)},
            }
        ),
        made(
            {
                "apiVersion": "example.com/v1",
                "kind": "Widget",
                "spec": {},
                "status": {"conditions": ready},
            }
        ),
        made({"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "x: 1\ny: 2\n", "b": "true"}}),
        made({"apiVersion": "v1", "kind": "Service", "spec": {"type": "ClusterIP"}, "status": {}}),
    ]


def cpu(*arguments: str) -> float:
    """User and system seconds of one process."""
    before = os.times()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    spent = after.children_user + after.children_system
    return spent - before.children_user - before.children_system


def main() -> None:
    """Prints the table."""
    items = [obj for number in range(OBJECTS // 10) for obj in family(number)]
    dump = {"apiVersion": "v1", "kind": "List", "items": items}
    texts = {"json": json.dumps(dump, indent=4), "yaml": yaml.dumps(dump)}
    started = time.process_time()
    json.loads(texts["json"])
    unit = time.process_time() - started
    print(f"{len(items)} objects; json.loads of the dump takes {unit:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        for suffix, text in texts.items():
            path = Path(folder) / f"dump.{suffix}"
            path.write_text(text)
            for options in ([], ["--summary"], ["-o", "json"]):
                command = ["-m", "interpreter", "health", "-f", str(path), *options]
                spent = statistics.median(cpu(*command) for _ in range(ROUNDS))
                shown = " ".join(["health", "-f", path.name, *options])
                print(
                    f"{shown:<32} {len(text) / 1e6:5.1f} MB {spent:6.2f} s of CPU"
                    f" {spent / unit:6.1f} x (target {TARGET:.0f} s)"
                )


if __name__ == "__main__":
    main()
