"""Cost of one scheduling pass, and what a large fleet holds in memory.

A pass has a dynamic weight, an affinity by label that matches half the fleet, and 300 replicas. The
stream of bindings shares 20 placements over a fleet that does not change; the other stream has a
placement of its own for every binding. The reference's core, as measured by the project's issue,
stands beside it. Prints medians; asserts nothing.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from typing import Any

from interpreter.scheduler import Fleet, Scheduler

REFERENCE_MS = {10: 0.14, 100: 0.95, 1000: 16.0, 5000: 62.0}
TARGET = {10: 1, 100: 3, 1000: 10, 5000: 10}
PASSES = {10: 2000, 100: 1000, 1000: 400, 5000: 200}
REPLICAS = 300
PLACEMENTS = 20
REGIONS = ("eu", "us", "ap", "sa")


def cluster(number: int) -> dict[str, Any]:
    """A member cluster; every second one is for the bindings here."""
    return {
        "apiVersion": "cluster.karmada.io/v1alpha1",
        "kind": "Cluster",
        "metadata": {
            "name": f"member-{number:05d}",
            "labels": {
                "pool": "web" if number % 2 else "batch",
                "tier": ("gold", "silver", "bronze")[number % 3],
                "rack": f"r{number % 97}",
            },
        },
        "spec": {
            "provider": ("aws", "gcp")[number % 2],
            "region": REGIONS[number % 4],
            "zones": [f"{REGIONS[number % 4]}-{number % 3}"],
            "taints": [{"key": "node", "value": "old", "effect": "PreferNoSchedule"}],
        },
        "status": {
            "apiEnablements": [
                {
                    "groupVersion": group,
                    "resources": [{"kind": kind, "name": kind.lower() + "s"} for kind in kinds],
                }
                for group, kinds in (
                    ("v1", ("ConfigMap", "Secret", "Service", "Pod")),
                    ("apps/v1", ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")),
                    ("batch/v1", ("Job", "CronJob")),
                )
            ],
            "resourceSummary": {
                "allocatable": {
                    "cpu": str(64 + number % 200),
                    "memory": f"{256 + number % 512}Gi",
                    "pods": str(500 + number % 300),
                },
                "allocated": {
                    "cpu": f"{number * 37 % 60000}m",
                    "memory": f"{number * 91 % 200}Gi",
                    "pods": str(number * 13 % 400),
                },
            },
        },
    }


def placement(number: int) -> dict[str, Any]:
    """A placement; two of different numbers differ."""
    return {
        "clusterAffinity": {
            "labelSelector": {
                "matchLabels": {"pool": "web"},
                "matchExpressions": [
                    {"key": "team", "operator": "NotIn", "values": [f"team-{number}"]}
                ],
            }
        },
        "clusterTolerations": [{"key": f"k{number}", "operator": "Exists"}],
        "replicaScheduling": {
            "replicaSchedulingType": "Divided",
            "replicaDivisionPreference": "Weighted",
            "weightPreference": {"dynamicWeight": "AvailableReplicas"},
        },
    }


def binding(number: int, placements: int) -> dict[str, Any]:
    """A binding that was not scheduled before."""
    return {
        "metadata": {"name": f"web-{number}-deployment", "namespace": "shop"},
        "spec": {
            "resource": {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "name": f"web-{number}",
                "namespace": "shop",
                "uid": f"uid-{number}",
            },
            "replicas": REPLICAS,
            "replicaRequirements": {
                "resourceRequest": {
                    "cpu": f"{250 + number % 7 * 50}m",
                    "memory": f"{256 + number % 5 * 64}Mi",
                }
            },
            "placement": placement(number % placements),
        },
        "status": {},
    }


def milliseconds(scheduler: Scheduler, bindings: list[dict[str, Any]]) -> float:
    """Median of one pass."""
    times = []
    for item in bindings:
        started = time.perf_counter()
        targets = scheduler.schedule(item)
        times.append(time.perf_counter() - started)
        assert sum(target.replicas for target in targets) == REPLICAS
    return statistics.median(times) * 1000


def speed() -> None:
    """Prints the time of a pass by size of the fleet."""
    print(
        f"{'clusters':>8} {'shared ms':>10} {'times':>6} {'target':>6} {'own ms':>8} {'times':>6}"
    )
    for size, reference in REFERENCE_MS.items():
        fleet = Fleet(cluster(number) for number in range(size))
        passes = PASSES[size]
        scheduler = Scheduler(fleet)
        stream = [binding(number, PLACEMENTS) for number in range(passes + 200)]
        milliseconds(scheduler, stream[:200])
        shared = milliseconds(scheduler, stream[200:])
        own = milliseconds(
            Scheduler(Fleet(cluster(number) for number in range(size))),
            [binding(number, 10**9) for number in range(passes)],
        )
        print(
            f"{size:>8} {shared:>10.3f} {reference / shared:>6.1f} {TARGET[size]:>6} "
            f"{own:>8.3f} {reference / own:>6.1f}"
        )


def memory(clusters: int = 5000, bindings: int = 100_000, passes: int = 2000) -> None:
    """Prints what a process holds with a fleet, bindings and a schedule for each.

    Every pass counts for several bindings, whose schedules are lists of their own.
    """
    fleet = Fleet(cluster(number) for number in range(clusters))
    held = [binding(number, PLACEMENTS) for number in range(bindings)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    scheduler = Scheduler(fleet)
    made = [scheduler.schedule(item) for item in held[:passes]]
    schedules = [list(made[number % passes]) for number in range(bindings)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    entries = sum(map(len, schedules)) / bindings
    print(
        f"{clusters} clusters, {bindings} bindings: {before:.0f} MiB; with a schedule of "
        f"{entries:.0f} clusters for each {peak:.0f} MiB (target 1500)"
    )


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory", action="store_true", help="only what is held in memory")
    if not parser.parse_args().memory:
        speed()
    memory()


if __name__ == "__main__":
    main()
