"""Small objects that tests of propagation are made of."""

from __future__ import annotations

from typing import Any

from interpreter import ResourceInterpreter
from interpreter.propagation.claiming import CLUSTER, NAMESPACED

NATIVE = ResourceInterpreter(plugins=None, tiers=("native",))


def deployment(name: str = "web", namespace: str = "prod", **metadata: Any) -> dict[str, Any]:
    container = {"name": "main", "image": "x", "resources": {"requests": {"cpu": "1"}}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace, "uid": f"uid-{name}", **metadata},
        "spec": {"replicas": 3, "template": {"spec": {"containers": [container]}}},
    }


def config_map(name: str = "cm", namespace: str = "prod", **metadata: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": namespace, "uid": f"uid-{name}", **metadata}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}


def cluster_role(name: str = "viewer", **metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": name, "uid": f"uid-{name}", **metadata},
    }


def selector(obj: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"apiVersion": obj["apiVersion"], "kind": obj["kind"], **more}


def policy(
    name: str = "p",
    *,
    namespace: str = "prod",
    selectors: list[dict[str, Any]] | None = None,
    identifier: str | None = None,
    metadata: dict[str, Any] | None = None,
    **spec: Any,
) -> dict[str, Any]:
    """A propagation policy; without a namespace a cluster policy."""
    scope = NAMESPACED if namespace else CLUSTER
    known = {"name": name, "labels": {scope.id_label: identifier or f"id-{name}"}}
    if namespace:
        known["namespace"] = namespace
    if selectors is None:
        selectors = [selector(deployment())]
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": scope.kind,
        "metadata": {**known, **(metadata or {})},
        "spec": {"resourceSelectors": selectors, **spec},
    }


def binding(
    name: str, resource: dict[str, Any], *, namespace: str = "prod", **spec: Any
) -> dict[str, Any]:
    """A binding as admission leaves it."""
    reference = {key: resource[key] for key in ("apiVersion", "kind")}
    reference.update({k: v for k, v in resource["metadata"].items() if k in ("name", "namespace")})
    return {
        "apiVersion": "work.karmada.io/v1alpha2",
        "kind": "ResourceBinding",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "labels": {"resourcebinding.karmada.io/permanent-id": f"id-{name}"},
        },
        "spec": {"resource": reference, **spec},
    }
