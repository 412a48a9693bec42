"""The first cases of a kind: an example object, and what each script makes of it.

The answers are worked out from the shape, not by running the scripts, so that the cases test them.
"""

from __future__ import annotations

from typing import Any

from interpreter.api.operation import Operation
from interpreter.authoring.crds import ANY_ITEM, ANY_KEY
from interpreter.authoring.scaffold_scripts import GENERATION_ANNOTATION, RETAIN_REPLICAS_LABEL
from interpreter.authoring.shapes import ComponentShape, Shape
from interpreter.machinery.unstructured import JsonObject, deep_copy

_REPLICAS = 3
_REVISED = 5
_REQUEST = {"cpu": "100m", "memory": "64Mi"}
_CONFIG_MAP = "settings"
Cases = list[JsonObject]


def cases(shape: Shape, operation: Operation) -> Cases:
    """The cases of one script."""
    return {
        Operation.GET_REPLICAS: _get_replicas,
        Operation.GET_COMPONENTS: _get_components,
        Operation.REVISE_REPLICA: _revise_replica,
        Operation.RETAIN: _retain,
        Operation.AGGREGATE_STATUS: _aggregate_status,
        Operation.REFLECT_STATUS: _reflect_status,
        Operation.INTERPRET_HEALTH: _interpret_health,
        Operation.GET_DEPENDENCIES: _get_dependencies,
    }[operation](shape)


def example(shape: Shape) -> JsonObject:
    """An object of the kind with everything that the scripts read."""
    obj = _bare(shape)
    if shape.replicas is not None:
        _set(obj, shape.replicas, _REPLICAS)
    if shape.template is not None:
        _set(obj, shape.template, _pod_template())
    for component in shape.components:
        _set_component(obj, component)
    return obj


def _bare(shape: Shape) -> JsonObject:
    metadata: JsonObject = {"name": "example"}
    if shape.namespaced:
        metadata["namespace"] = "default"
    metadata["generation"] = 2
    return {
        "apiVersion": shape.gvk.api_version,
        "kind": shape.gvk.kind,
        "metadata": metadata,
        "spec": {},
    }


def _pod_template() -> JsonObject:
    container = {
        "name": "main",
        "image": "registry.example.com/main:1",
        "envFrom": [{"configMapRef": {"name": _CONFIG_MAP}}],
        "resources": {"requests": dict(_REQUEST)},
    }
    return {"spec": {"containers": [container]}}


def _set(obj: JsonObject, path: tuple[str, ...], value: Any) -> None:
    for name in path[:-1]:
        obj = obj.setdefault(name, {})
    obj[path[-1]] = value


def _set_component(obj: JsonObject, component: ComponentShape) -> None:
    part: JsonObject = {component.template: _pod_template()}
    if component.replicas is not None:
        part = {component.replicas: _REPLICAS, **part}
    step = component.holder[-1]
    if step == ANY_ITEM:
        named = {component.name: "first", **part} if component.name else part
        _set(obj, component.holder[:-1], [named])
        return
    target = (*component.holder[:-1], "first") if step == ANY_KEY else component.holder
    for name in target:
        obj = obj.setdefault(name, {})
    obj.update(part)


def _requirements() -> JsonObject:
    return {"resourceRequest": dict(_REQUEST)}


def _get_replicas(shape: Shape) -> Cases:
    requirements = _requirements() if shape.template is not None else None
    return [
        {
            "name": "the count of the spec, and what one pod asks for",
            "object": example(shape),
            "want": {"replicas": _REPLICAS, "requirements": requirements},
        },
        {
            "name": f"an absent count means {shape.default_replicas}",
            "object": _bare(shape),
            "want": {"replicas": shape.default_replicas, "requirements": None},
        },
    ]


def _get_components(shape: Shape) -> Cases:
    wanted = [
        {
            "name": _component_name(component),
            "replicas": _REPLICAS if component.replicas is not None else 1,
            "replicaRequirements": _requirements(),
        }
        for component in shape.components
    ]
    return [
        {"name": "every part with its pods", "object": example(shape), "want": wanted},
        {"name": "no parts at all", "object": _bare(shape), "want": []},
    ]


def _component_name(component: ComponentShape) -> str:
    step = component.holder[-1]
    if step == ANY_ITEM:
        return "first" if component.name else f"{component.holder[-2]}-1"
    return "first" if step == ANY_KEY else step


def _revise_replica(shape: Shape) -> Cases:
    assert shape.replicas is not None  # noqa: S101 - the script exists only with a path
    before = example(shape)
    after = deep_copy(before)
    _set(after, shape.replicas, _REVISED)
    return [
        {
            "name": "only the count changes",
            "object": before,
            "replicas": _REVISED,
            "want": after,
        }
    ]


def _retain(shape: Shape) -> Cases:
    assert shape.replicas is not None  # noqa: S101 - the script exists only with a path
    desired = example(shape)
    labelled = deep_copy(desired)
    labelled["metadata"]["labels"] = {RETAIN_REPLICAS_LABEL: "true"}
    observed = deep_copy(desired)
    _set(observed, shape.replicas, _REVISED)
    kept = deep_copy(labelled)
    _set(kept, shape.replicas, _REVISED)
    return [
        {
            "name": "the template sets the count",
            "desired": desired,
            "observed": observed,
            "want": desired,
        },
        {
            "name": "with the label the member cluster keeps its count",
            "desired": labelled,
            "observed": observed,
            "want": kept,
        },
    ]


def _member_status(shape: Shape, count: int, message: str) -> JsonObject:
    """A status as ReflectStatus gives it."""
    status: JsonObject = dict.fromkeys(shape.counters, count)
    if shape.has_conditions:
        status["conditions"] = [
            {"type": "Ready", "status": "True", "reason": "Done", "message": message}
        ]
    if shape.has_generation:
        status |= {"observedGeneration": 7, "generation": 7, "resourceTemplateGeneration": 2}
    return status


def _aggregate_status(shape: Shape) -> Cases:
    obj = example(shape)
    if not (shape.counters or shape.has_conditions or shape.has_generation):
        only = {"phase": "Running"}
        return [
            {
                "name": "one cluster's status is the status",
                "object": obj,
                "items": [{"clusterName": "member1", "status": only}],
                "want": {**deep_copy(obj), "status": only},
            },
            {"name": "without items nothing changes", "object": obj, "items": None, "want": obj},
        ]
    wanted: JsonObject = dict.fromkeys(shape.counters, _REPLICAS)
    if shape.has_generation:
        wanted["observedGeneration"] = 2
    if shape.has_conditions:
        message = "member1=one, member2=two"
        wanted["conditions"] = [
            {"type": "Ready", "status": "True", "reason": "Done", "message": message}
        ]
    items = [
        {"clusterName": "member1", "status": _member_status(shape, 1, "one")},
        {"clusterName": "member2", "status": _member_status(shape, 2, "two")},
    ]
    found: Cases = [
        {
            "name": "counts add up over clusters",
            "object": obj,
            "items": items,
            "want": {**deep_copy(obj), "status": wanted},
        }
    ]
    if shape.has_conditions:
        found += _disagreeing(shape, obj, items, wanted)
    if shape.has_generation:
        behind = deep_copy(items)
        behind[1]["status"]["resourceTemplateGeneration"] = 1
        late = {name: value for name, value in wanted.items() if name != "observedGeneration"}
        found.append(
            {
                "name": "a cluster that has not seen the last change holds the generation back",
                "object": obj,
                "items": behind,
                "want": {**deep_copy(obj), "status": late},
            }
        )
    return found


def _disagreeing(
    shape: Shape, obj: JsonObject, items: list[JsonObject], wanted: JsonObject
) -> Cases:
    differing = deep_copy(items)
    differing[1]["status"]["conditions"][0]["status"] = "False"
    unknown = {"status": "Unknown", "reason": "ClustersDiffer"}
    condition = {**wanted["conditions"][0], **unknown}
    none = dict.fromkeys(shape.counters, 0)
    if shape.has_generation:
        none["observedGeneration"] = 2
    return [
        {
            "name": "clusters that disagree make a condition Unknown",
            "object": obj,
            "items": differing,
            "want": {**deep_copy(obj), "status": {**wanted, "conditions": [condition]}},
        },
        {
            "name": "without clusters nothing is left of their conditions",
            "object": {**deep_copy(obj), "status": deep_copy(wanted)},
            "items": [],
            "want": {**deep_copy(obj), "status": none},
        },
    ]


def _reflect_status(shape: Shape) -> Cases:
    obj = _bare(shape)
    obj["metadata"]["annotations"] = {GENERATION_ANNOTATION: "4"}
    status: JsonObject = {"observedGeneration": 2, **dict.fromkeys(shape.counters, 1)}
    wanted = {**status, "generation": 2, "resourceTemplateGeneration": 4}
    return [
        {
            "name": "the whole status with both generations",
            "object": {**obj, "status": status},
            "want": wanted,
        },
        {"name": "nothing to report without a status", "object": obj, "want": None},
    ]


def _interpret_health(shape: Shape) -> Cases:
    obj = example(shape)
    status: JsonObject = {}
    if shape.has_generation:
        status["observedGeneration"] = 2
    if shape.ready is not None and shape.replicas is not None:
        status[shape.ready] = _REPLICAS
    if shape.has_conditions:
        status["conditions"] = [{"type": "Ready", "status": "True"}]
    found: Cases = [
        {
            "name": "an object that works is healthy",
            "object": {**obj, "status": status},
            "want": True,
        },
        {"name": "without a status it is not", "object": obj, "want": False},
    ]
    if shape.has_generation:
        stale = {**status, "observedGeneration": 1}
        found.append(
            {
                "name": "a status from before the last change does not count",
                "object": {**obj, "status": stale},
                "want": False,
            }
        )
    if shape.has_conditions:
        failed = {**status, "conditions": [{"type": "Ready", "status": "False"}]}
        found.append(
            {
                "name": "a condition that says so makes it unhealthy",
                "object": {**obj, "status": failed},
                "want": False,
            }
        )
    elif shape.ready is not None and shape.replicas is not None:
        few = {**status, shape.ready: _REPLICAS - 1}
        found.append(
            {
                "name": "too few working replicas make it unhealthy",
                "object": {**obj, "status": few},
                "want": False,
            }
        )
    return found


def _get_dependencies(shape: Shape) -> Cases:
    return [
        {
            "name": "what the pods refer to",
            "object": example(shape),
            "want": [
                {
                    "apiVersion": "v1",
                    "kind": "ConfigMap",
                    "namespace": "default",
                    "name": _CONFIG_MAP,
                }
            ],
        },
        {"name": "no pods, no dependencies", "object": _bare(shape), "want": []},
    ]
