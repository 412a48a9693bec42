"""A small fleet and what is placed on it, for tests of planning."""

from __future__ import annotations

from typing import Any

from interpreter import ResourceInterpreter
from interpreter.manifests import Manifest
from interpreter.planning import Plan, TemplatePlan, make_plan, read_inputs

Object = dict[str, Any]

INTERPRETER = ResourceInterpreter(plugins=None)
DYNAMIC = {
    "replicaSchedulingType": "Divided",
    "replicaDivisionPreference": "Weighted",
    "weightPreference": {"dynamicWeight": "AvailableReplicas"},
}
AGGREGATED = {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Aggregated"}


def cluster(
    name: str, *, cpu: str | None = "10", used: str = "0", status: bool = True, **spec: Any
) -> Object:
    """A cluster with so much cpu; ``labels`` stand apart. It states no APIs."""
    metadata: Object = {"name": name}
    if "labels" in spec:
        metadata["labels"] = spec.pop("labels")
    found: Object = {
        "apiVersion": "cluster.karmada.io/v1alpha1",
        "kind": "Cluster",
        "metadata": metadata,
        "spec": spec,
    }
    if status and cpu is not None:
        found["status"] = {
            "resourceSummary": {
                "allocatable": {"cpu": cpu, "pods": "100"},
                "allocated": {"cpu": used, "pods": "0"},
            }
        }
    return found


def deployment(
    name: str = "web", *, replicas: int = 3, namespace: str = "shop", **more: Any
) -> Object:
    """A Deployment whose replicas need one core each."""
    container: Object = {
        "name": "main",
        "image": "registry.example.com/shop/web:1.0",
        "resources": {"requests": {"cpu": "1"}},
    }
    if "needs" in more:
        container["envFrom"] = [{"configMapRef": {"name": more.pop("needs")}}]
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace, **more},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": name}},
            "template": {
                "metadata": {"labels": {"app": name}},
                "spec": {"containers": [container]},
            },
        },
    }


def config_map(name: str = "settings", namespace: str = "shop") -> Object:
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "b"}}


def policy(
    name: str = "web",
    *,
    namespace: str = "shop",
    of: Object | None = None,
    selector: Object | None = None,
    **spec: Any,
) -> Object:
    """A policy for an object by name or by a selector; cluster-scoped without a namespace."""
    subject = deployment() if of is None else of
    chosen = {"name": subject["metadata"]["name"]} if selector is None else selector
    metadata = {"name": name, "namespace": namespace} if namespace else {"name": name}
    spec.setdefault("placement", {})
    kind = {"apiVersion": subject["apiVersion"], "kind": subject["kind"]}
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy" if namespace else "ClusterPropagationPolicy",
        "metadata": metadata,
        "spec": {"resourceSelectors": [{**kind, **chosen}], **spec},
    }


def override(name: str, overriders: Object, **target: Any) -> Object:
    """An override policy for all Deployments of ``shop`` in the clusters that an affinity names."""
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "OverridePolicy",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {
            "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "Deployment"}],
            "overrideRules": [{"targetCluster": target, "overriders": overriders}],
        },
    }


def manifests(*objects: Object) -> list[Manifest]:
    return [Manifest(obj, "in.yaml", place, None) for place, obj in enumerate(objects, 1)]


def planned(*objects: Object, **options: Any) -> Plan:
    """The plan of some objects."""
    interpreter = options.pop("interpreter", INTERPRETER)
    return make_plan(read_inputs(manifests(*objects)), interpreter=interpreter, **options)


def only(plan: Plan, name: str = "web") -> TemplatePlan:
    """The template of a name."""
    (found,) = [each for each in plan.templates if each.name == name]
    return found


def replicas(template: TemplatePlan) -> dict[str, int | None]:
    """Replicas by cluster."""
    return {each.cluster: each.replicas for each in template.placements}
