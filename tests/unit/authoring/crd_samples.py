"""Definitions that several tests use."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

CONTAINERS: Schema = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string"}, "image": {"type": "string"}},
    },
}
TEMPLATE: Schema = {
    "type": "object",
    "properties": {
        "metadata": {"type": "object"},
        "spec": {
            "type": "object",
            "required": ["containers"],
            "properties": {"containers": CONTAINERS},
        },
    },
}
OPEN_TEMPLATE: Schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
CONDITIONS: Schema = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["type", "status"],
        "properties": {
            "type": {"type": "string"},
            "status": {"type": "string", "enum": ["True", "False", "Unknown"]},
            "reason": {"type": "string"},
            "message": {"type": "string"},
        },
    },
}
INTEGER: Schema = {"type": "integer", "format": "int32"}
STRING: Schema = {"type": "string"}


def obj(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties}


def listed(**properties: Schema) -> Schema:
    return {"type": "array", "items": obj(**properties)}


def keyed(**properties: Schema) -> Schema:
    return {"type": "object", "additionalProperties": obj(**properties)}


def definition(
    spec: Schema | None = None,
    status: Schema | None = None,
    *,
    scale: str | None = None,
    kind: str = "Widget",
    group: str = "example.com",
    cluster: bool = False,
) -> Schema:
    """A definition; its storage version is v1, and v1alpha1 is served without a schema."""
    properties = {"apiVersion": STRING, "kind": STRING, "metadata": {"type": "object"}}
    if spec is not None:
        properties["spec"] = spec
    if status is not None:
        properties["status"] = status
    subresources: Schema = {} if status is None else {"status": {}}
    if scale is not None:
        subresources["scale"] = {"specReplicasPath": scale, "statusReplicasPath": ".status.n"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.lower()}s.{group}"},
        "spec": {
            "group": group,
            "names": {"kind": kind, "plural": f"{kind.lower()}s"},
            "scope": "Cluster" if cluster else "Namespaced",
            "versions": [
                {"name": "v1alpha1", "served": True, "storage": False},
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "subresources": subresources,
                    "schema": {"openAPIV3Schema": {"type": "object", "properties": properties}},
                },
            ],
        },
    }


WORKLOAD = definition(
    obj(replicas={**INTEGER, "default": 2}, template=TEMPLATE),
    obj(
        observedGeneration=INTEGER,
        replicas=INTEGER,
        readyReplicas=INTEGER,
        collisionCount=INTEGER,
        conditions=CONDITIONS,
    ),
)
SAMPLES: dict[str, Schema] = {
    "a usual workload": WORKLOAD,
    "replicas by the scale subresource": definition(
        obj(workers=obj(count=INTEGER, template=TEMPLATE), replicas=INTEGER),
        obj(availableReplicas=INTEGER),
        scale=".spec.workers.count",
    ),
    "a template left open": definition(obj(replicas=INTEGER, template=OPEN_TEMPLATE)),
    "a path that needs the names of the script": definition(
        obj(table=obj(replicas=obj(status=INTEGER), template=TEMPLATE)),
        obj(conditions=CONDITIONS),
        scale=".spec.table.replicas.status",
    ),
    "several templates": definition(
        obj(
            head=obj(template=TEMPLATE),
            workers=listed(groupName=STRING, replicas=INTEGER, template=TEMPLATE),
        ),
        obj(observedGeneration=INTEGER),
    ),
    "templates by name": definition(
        obj(replicaSpecs=keyed(replicas=INTEGER, template=TEMPLATE)),
        obj(active=INTEGER, failed=INTEGER),
    ),
    "a list of templates without names": definition(
        obj(pools=listed(podTemplate=TEMPLATE)), obj(ready=INTEGER)
    ),
    "only a status with conditions": definition(
        obj(url=STRING), obj(observedGeneration=INTEGER, conditions=CONDITIONS), cluster=True
    ),
    "only a status with a phase": definition(obj(url=STRING), obj(phase=STRING)),
    "a cluster-wide kind with pods": definition(obj(template=TEMPLATE), cluster=True),
}
