"""Clusters, override policies and Works that tests of propagation are made of."""

from __future__ import annotations

from typing import Any


def cluster(name: str, *, ready: str = "True", **more: Any) -> dict[str, Any]:
    metadata = {"name": name, **more.pop("metadata", {})}
    return {
        "apiVersion": "cluster.karmada.io/v1alpha1",
        "kind": "Cluster",
        "metadata": metadata,
        "spec": more,
        "status": {"conditions": [{"type": "Ready", "status": ready}]},
    }


def override_policy(
    name: str,
    overriders: dict[str, Any],
    *,
    namespace: str = "prod",
    selectors: list[dict[str, Any]] | None = None,
    target: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """An override policy with one rule; without a namespace a cluster-scoped one."""
    rule: dict[str, Any] = {"overriders": overriders}
    if target is not None:
        rule["targetCluster"] = target
    metadata = {"name": name, "namespace": namespace} if namespace else {"name": name}
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "OverridePolicy" if namespace else "ClusterOverridePolicy",
        "metadata": metadata,
        "spec": {"resourceSelectors": selectors, "overrideRules": [rule]},
    }


def scheduled_on(**replicas: int) -> list[dict[str, Any]]:
    """``spec.clusters`` of a binding."""
    return [{"name": name, "replicas": count} for name, count in replicas.items()]


def work(
    manifest: dict[str, Any], cluster: str, *, binding: str = "web-deployment", **status: Any
) -> dict[str, Any]:
    return {
        "apiVersion": "work.karmada.io/v1alpha1",
        "kind": "Work",
        "metadata": {
            "name": "w",
            "namespace": f"karmada-es-{cluster}",
            "labels": {"resourcebinding.karmada.io/permanent-id": f"id-{binding}"},
            "finalizers": ["karmada.io/execution-controller"],
        },
        "spec": {"workload": {"manifests": [manifest]}},
        "status": status,
    }


def manifest(obj: dict[str, Any]) -> dict[str, Any]:
    """An object as a Work holds it: without what only the control plane's own copy has."""
    return {**obj, "metadata": {k: v for k, v in obj["metadata"].items() if k != "uid"}}
