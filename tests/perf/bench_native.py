"""Cost of native operations against one JSON round trip of the same object, in one run.

Prints microseconds and ratios; asserts nothing. Ratios are medians over interleaved rounds: every
round times the unit (one ``orjson.loads(orjson.dumps(obj))`` of the benchmark Deployment) next to
the operation.
"""

from __future__ import annotations

import functools
import statistics
import time
from collections.abc import Callable
from typing import Any

import orjson

from interpreter import Operation, ResourceInterpreter
from interpreter.engines.native.table import handlers
from interpreter.machinery.gvk import GVK

ROUNDS = 31
CALLS = 400


def deployment() -> dict[str, Any]:
    """A Deployment with two containers, as a cluster returns it."""
    containers = [
        {
            "name": name,
            "image": f"registry.example.com/shop/{name}:1.27.4",
            "ports": [{"containerPort": 8080, "name": "http", "protocol": "TCP"}],
            "env": [
                {"name": "LOG_LEVEL", "value": "info"},
                {
                    "name": "TOKEN",
                    "valueFrom": {"secretKeyRef": {"name": f"{name}-token", "key": "token"}},
                },
            ],
            "envFrom": [{"configMapRef": {"name": f"{name}-settings"}}],
            "resources": {
                "requests": {"cpu": "250m", "memory": "256Mi"},
                "limits": {"cpu": "1", "memory": "512Mi"},
            },
            "volumeMounts": [{"name": "data", "mountPath": "/data"}],
            "readinessProbe": {"httpGet": {"path": "/ready", "port": "http"}, "periodSeconds": 5},
        }
        for name in ("web", "proxy")
    ]
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": "web",
            "namespace": "shop",
            "generation": 7,
            "labels": {"app": "web", "team": "shop"},
            "annotations": {"resourcetemplate.karmada.io/generation": "7"},
        },
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": {"app": "web"}},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {
                    "serviceAccountName": "web",
                    "nodeSelector": {"disk": "ssd"},
                    "tolerations": [
                        {
                            "key": "dedicated",
                            "operator": "Equal",
                            "value": "web",
                            "effect": "NoSchedule",
                        }
                    ],
                    "containers": containers,
                    "volumes": [
                        {"name": "data", "persistentVolumeClaim": {"claimName": "web-data"}},
                        {"name": "config", "configMap": {"name": "web-config"}},
                    ],
                },
            },
        },
        "status": status(3),
    }


def status(replicas: int) -> dict[str, Any]:
    """A member's status of that Deployment."""
    return {
        "replicas": replicas,
        "readyReplicas": replicas,
        "updatedReplicas": replicas,
        "availableReplicas": replicas,
        "observedGeneration": 7,
        "generation": 7,
        "resourceTemplateGeneration": 7,
    }


def cases(obj: dict[str, Any]) -> dict[Operation, tuple[Any, ...]]:
    """Arguments of each operation."""
    items = [{"clusterName": f"member{n}", "status": status(n)} for n in (1, 2, 3)]
    retained = {
        **obj,
        "metadata": {
            **obj["metadata"],
            "labels": {"resourcetemplate.karmada.io/retain-replicas": "true"},
        },
    }
    return {
        Operation.GET_REPLICAS: (obj,),
        Operation.GET_COMPONENTS: (obj,),
        Operation.GET_DEPENDENCIES: (obj,),
        Operation.INTERPRET_HEALTH: (obj,),
        Operation.REFLECT_STATUS: (obj,),
        Operation.REVISE_REPLICA: (obj, 5),
        Operation.RETAIN: (retained, obj),
        Operation.AGGREGATE_STATUS: (obj, items),
        Operation.PRUNE: (obj, False),
    }


def measure(function: Callable[[], Any]) -> float:
    """Microseconds of one call."""
    started = time.perf_counter()
    for _ in range(CALLS):
        function()
    return (time.perf_counter() - started) / CALLS * 1e6


def main() -> None:
    """Prints the table."""
    obj = deployment()
    gvk = GVK("apps", "v1", "Deployment")
    table = handlers()
    ri = ResourceInterpreter(plugins=None).start()

    def unit() -> Any:
        return orjson.loads(orjson.dumps(obj))

    print(f"object: {len(orjson.dumps(obj))} bytes of JSON; {ROUNDS} rounds of {CALLS} calls")
    print(f"{'operation':<16} {'handler us':>10} {'ratio':>6} {'target':>6} {'facade adds us':>14}")
    objects = {
        Operation.REVISE_REPLICA,
        Operation.RETAIN,
        Operation.AGGREGATE_STATUS,
        Operation.PRUNE,
    }
    units: list[float] = []
    for operation, arguments in cases(obj).items():
        handler = table.get((gvk, operation)) or table[GVK("*", "*", "*"), operation]
        method = getattr(ri, _method(operation))
        keywords = {"remove_job_ttl": False} if operation is Operation.PRUNE else {}
        positional = arguments[:1] if operation is Operation.PRUNE else arguments
        bare, ratios, added = [], [], []
        direct_call = functools.partial(handler, *arguments)
        facade_call = functools.partial(method, *positional, **keywords)
        for _ in range(ROUNDS):
            one = measure(unit)
            direct = measure(direct_call)
            bare.append(direct)
            ratios.append(direct / one)
            added.append(measure(facade_call) - direct)
            units.append(one)
        target = 4.0 if operation in objects else 1.5
        print(
            f"{operation:<16} {statistics.median(bare):>10.1f} {statistics.median(ratios):>6.2f}"
            f" {target:>6.1f} {statistics.median(added):>14.1f}"
        )
    print(f"{'JSON round trip':<16} {statistics.median(units):>10.1f} {1.0:>6.2f}")


def _method(operation: Operation) -> str:
    from interpreter.operations import OPERATIONS

    return OPERATIONS[operation].hook


if __name__ == "__main__":
    main()
