"""Cost of ``interpret plan``: 1000 templates over 200 clusters.

Templates are Deployments, StatefulSets, Jobs and Services with a ConfigMap each; 20 policies divide
them over parts of the fleet (Duplicated, static, dynamic, Aggregated, spread by region), three
override policies change images and labels. Prints CPU seconds of the pipeline alone, and of the
whole command with reading YAML and printing; asserts nothing. The target of the project's issue is
5 s of CPU. ``--dense`` duplicates everything to the whole fleet.
"""

from __future__ import annotations

import argparse
import gc
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from interpreter import ResourceInterpreter
from interpreter.codec import yaml
from interpreter.manifests import Manifest
from interpreter.planning import make_plan, read_inputs

TARGET_SECONDS = 5.0
REGIONS = ("eu", "us", "ap", "sa")
POLICY = "policy.karmada.io/v1alpha1"


def cluster(number: int) -> dict[str, Any]:
    """A member cluster with taints, a region and capacities."""
    tainted = [{"key": "pool", "value": "gpu", "effect": "NoSchedule"}]
    return {
        "apiVersion": "cluster.karmada.io/v1alpha1",
        "kind": "Cluster",
        "metadata": {
            "name": f"member-{number:03d}",
            "labels": {"tier": ("gold", "silver")[number % 2], "rack": f"r{number % 20}"},
        },
        "spec": {
            "region": REGIONS[number % 4],
            "provider": ("aws", "gcp")[number % 2],
            "taints": tainted if number % 10 == 9 else [],
        },
        "status": {
            "resourceSummary": {
                "allocatable": {"cpu": "512", "memory": "2Ti", "pods": "5000"},
                "allocated": {"cpu": f"{number % 300}", "memory": "300Gi", "pods": "800"},
            }
        },
    }


def template(number: int) -> dict[str, Any]:
    """A template; each fifth is a ConfigMap that the Deployment before it needs."""
    name, labels = f"app-{number:04d}", {"app": f"app-{number:04d}", "group": str(number % 20)}
    metadata = {"name": name, "namespace": f"team-{number % 10}", "labels": labels}
    if number % 5 == 4:
        metadata["name"] = f"app-{number - 4:04d}-settings"
        metadata["namespace"] = f"team-{(number - 4) % 10}"
        del metadata["labels"]
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "b"}}
    if number % 5 == 3:
        ports = [{"port": 80}]
        spec: dict[str, Any] = {"selector": labels, "ports": ports}
        return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}
    container: dict[str, Any] = {
        "name": "main",
        "image": f"registry.example.com/team/{name}:1.{number}",
        "resources": {"requests": {"cpu": "250m", "memory": "512Mi"}},
        "env": [{"name": f"KEY_{index}", "value": str(index)} for index in range(8)],
    }
    if number % 5 == 0:
        container["envFrom"] = [{"configMapRef": {"name": f"{name}-settings"}}]
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    if number % 5 == 2:
        pod["spec"]["restartPolicy"] = "Never"
        spec = {"parallelism": 8, "completions": 40, "template": pod}
        return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}
    kind = ("Deployment", "StatefulSet")[number % 5]
    spec = {"replicas": 5 + number % 30, "selector": {"matchLabels": labels}, "template": pod}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": metadata, "spec": spec}


def policy(number: int) -> dict[str, Any]:
    """The policy of one group of templates; each of five strategies in turn."""
    weights = [{"targetCluster": {"clusterNames": ["member-001"]}, "weight": 3}]
    divided: dict[str, Any] = {"replicaSchedulingType": "Divided"}
    spread: list[dict[str, Any]] = [
        {"spreadByField": "cluster", "minGroups": 1, "maxGroups": 8},
    ]
    scheduling = (
        {"replicaSchedulingType": "Duplicated"},
        {**divided, "replicaDivisionPreference": "Weighted"},
        {
            **divided,
            "replicaDivisionPreference": "Weighted",
            "weightPreference": {"dynamicWeight": "AvailableReplicas"},
        },
        {**divided, "replicaDivisionPreference": "Aggregated"},
        {
            **divided,
            "replicaDivisionPreference": "Weighted",
            "weightPreference": {"dynamicWeight": "AvailableReplicas", "staticWeightList": weights},
        },
    )[number % 5]
    if number % 5 == 4:
        spread = [{"spreadByField": "region", "minGroups": 2, "maxGroups": 2}, *spread]
    affinity = {"labelSelector": {"matchLabels": {"rack": f"r{number}"}}}
    if number % 5 > 1:
        affinity = {"labelSelector": {"matchLabels": {"tier": ("gold", "silver")[number % 2]}}}
    selectors = [
        {"apiVersion": version, "kind": kind, "labelSelector": {"matchLabels": {"group": group}}}
        for group in (str(number),)
        for version, kind in (
            ("apps/v1", "Deployment"),
            ("apps/v1", "StatefulSet"),
            ("batch/v1", "Job"),
            ("v1", "Service"),
        )
    ]
    return {
        "apiVersion": POLICY,
        "kind": "ClusterPropagationPolicy",
        "metadata": {"name": f"group-{number}"},
        "spec": {
            "resourceSelectors": selectors,
            "propagateDeps": True,
            "placement": {
                "clusterAffinity": affinity,
                "spreadConstraints": spread,
                "replicaScheduling": scheduling,
            },
        },
    }


def override(number: int) -> dict[str, Any]:
    """An override policy for one region."""
    target = {
        "fieldSelector": {
            "matchExpressions": [
                {"key": "region", "operator": "In", "values": [REGIONS[number % 4]]}
            ]
        }
    }
    overriders: dict[str, Any] = {"labelsOverrider": [{"operator": "add", "value": {"o": "x"}}]}
    selectors = [{"apiVersion": "v1", "kind": "Service"}]
    if number:
        registry = {"component": "Registry", "operator": "replace", "value": "mirror.example.com"}
        overriders = {"imageOverrider": [registry]}
        selectors = [{"apiVersion": "apps/v1", "kind": ("Deployment", "StatefulSet")[number % 2]}]
    return {
        "apiVersion": POLICY,
        "kind": "ClusterOverridePolicy",
        "metadata": {"name": f"override-{number}"},
        "spec": {
            "resourceSelectors": selectors,
            "overrideRules": [{"targetCluster": target, "overriders": overriders}],
        },
    }


def documents(templates: int, clusters: int, *, dense: bool = False) -> list[dict[str, Any]]:
    """All inputs."""
    policies = [policy(number) for number in range(20)]
    if dense:
        for each in policies:
            each["spec"]["placement"] = {}
    return [
        *map(cluster, range(clusters)),
        *policies,
        *map(override, range(3)),
        *map(template, range(templates)),
    ]


def pipeline(objects: list[dict[str, Any]]) -> str:
    """CPU seconds of the pipeline alone, as text."""
    given = [Manifest(obj, "bench.yaml", place, None) for place, obj in enumerate(objects, 1)]
    gc.disable()  # as the command does
    with ResourceInterpreter(plugins=None) as interpreter:
        started = time.process_time()
        plan = make_plan(read_inputs(given), interpreter=interpreter)
        spent = time.process_time() - started
    gc.enable()
    if plan.all_errors:
        raise SystemExit(f"the inputs are wrong: {plan.all_errors[0]}")
    return f"{len(plan.works)} Works, pipeline {spent:.2f} s"


def command(objects: list[dict[str, Any]]) -> float:
    """CPU seconds of ``interpret plan``."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "inputs.yaml")
        path.write_text(yaml.dump_all(objects))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "interpreter", "plan", "-f", str(path)],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Prints CPU seconds of one plan."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--templates", type=int, default=1000)
    parser.add_argument("--clusters", type=int, default=200)
    parser.add_argument("--dense", action="store_true")
    arguments = parser.parse_args()
    objects = documents(arguments.templates, arguments.clusters, dense=arguments.dense)
    print(
        f"{arguments.templates} templates x {arguments.clusters} clusters, {pipeline(objects)}, "
        f"command {command(objects):.2f} s of CPU (target {TARGET_SECONDS:.0f})"
    )


if __name__ == "__main__":
    main()
