"""Clusters and bindings for tests of scheduling, small enough to think about."""

from __future__ import annotations

from typing import Any


def cluster(name: str, *, cpu: str | None = "10", pods: str = "100", **spec: Any) -> dict[str, Any]:
    """A cluster that serves Deployments; ``labels``, ``kinds`` and ``deleting`` are apart."""
    metadata: dict[str, Any] = {"name": name}
    if "labels" in spec:
        metadata["labels"] = spec.pop("labels")
    if spec.pop("deleting", False):
        metadata["deletionTimestamp"] = "2030-01-01T00:00:00Z"
    kinds = spec.pop("kinds", ["Deployment"])
    status: dict[str, Any] = {
        "apiEnablements": [
            {"groupVersion": "apps/v1", "resources": [{"kind": kind} for kind in kinds]}
        ]
    }
    if cpu is not None:
        status["resourceSummary"] = {"allocatable": {"cpu": cpu, "pods": pods}}
    return {"metadata": metadata, "spec": spec, "status": status}


DUPLICATED = {"replicaSchedulingType": "Duplicated"}
AGGREGATED = {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Aggregated"}
WEIGHTED = {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Weighted"}
DYNAMIC = {**WEIGHTED, "weightPreference": {"dynamicWeight": "AvailableReplicas"}}


def binding(
    replicas: int = 0,
    scheduling: dict[str, Any] | None = None,
    *,
    clusters: dict[str, int] | None = None,
    status: dict[str, Any] | None = None,
    placement: dict[str, Any] | None = None,
    **spec: Any,
) -> dict[str, Any]:
    """A binding of a Deployment whose replicas need one core each."""
    whole: dict[str, Any] = {"placement": dict(placement or {}), **spec}
    if scheduling is not None:
        whole["placement"]["replicaScheduling"] = scheduling
    if replicas:
        whole["replicas"] = replicas
        whole.setdefault("replicaRequirements", {"resourceRequest": {"cpu": "1"}})
    if clusters is not None:
        whole["clusters"] = [{"name": name, "replicas": count} for name, count in clusters.items()]
    whole.setdefault(
        "resource",
        {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop", "name": "web"},
    )
    return {
        "kind": "ResourceBinding",
        "metadata": {"name": "web-deployment", "namespace": "shop", "generation": 4},
        "spec": whole,
        "status": status or {},
    }


def counts(targets: Any) -> dict[str, int]:
    """Replicas by cluster."""
    return {target.name: target.replicas for target in targets}
