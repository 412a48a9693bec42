"""Builders for common objects: complete where interpreters look, short where a test is written.

Each gives a plain dict of its own. What a builder does not know goes into ``spec`` and ``metadata``
as it is; what is given there wins.

    deployment(replicas=3, requests={"cpu": "250m"}, status={"readyReplicas": 3})
    custom_resource("stable.example.com/v1", "CronTab", spec={"replicas": 2})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from interpreter.api.context import HookContext
from interpreter.machinery.unstructured import JsonObject, JsonValue, deep_copy

#: The time of contexts that :func:`hook_context` makes: answers that carry a time are the same in
#: each run.
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
#: Where a control plane notes the template's generation on every copy; statuses refer to it.
GENERATION_ANNOTATION: Final = "resourcetemplate.karmada.io/generation"
_IMAGE = "registry.example.com/app:1"


def custom_resource(
    api_version: str,
    kind: str,
    name: str = "example",
    *,
    namespace: str = "default",
    spec: Mapping[str, JsonValue] | None = None,
    status: Mapping[str, JsonValue] | None = None,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    metadata: Mapping[str, JsonValue] | None = None,
) -> JsonObject:
    """An object of any kind.

    Args:
        api_version: ``group/version``, or ``v1`` for the core group.
        kind: The kind.
        name: Its name.
        namespace: Its namespace; empty for an object of the cluster.
        spec: Its spec; left out when None.
        status: Its status; left out when None.
        labels: Its labels; left out when None.
        annotations: Its annotations; left out when None.
        metadata: Further metadata, such as ``generation``.
    """
    obj: JsonObject = {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}}
    meta = obj["metadata"]
    if namespace:
        meta["namespace"] = namespace
    for field, value in (("labels", labels), ("annotations", annotations)):
        if value is not None:
            meta[field] = dict(value)
    meta.update(deep_copy(dict(metadata or {})))
    for field, part in (("spec", spec), ("status", status)):
        if part is not None:
            obj[field] = deep_copy(dict(part))
    return obj


def container(
    name: str = "main",
    *,
    image: str = _IMAGE,
    requests: Mapping[str, str] | None = None,
    **fields: JsonValue,
) -> JsonObject:
    """A container.

    Args:
        name: Its name.
        image: Its image.
        requests: Quantities by resource name, such as ``{"cpu": "250m"}``.
        **fields: Further fields, by their names in the API.
    """
    resources = {} if requests is None else {"resources": {"requests": dict(requests)}}
    return {"name": name, "image": image, **resources, **deep_copy(fields)}


def pod_template(
    *containers: JsonObject,
    labels: Mapping[str, str] | None = None,
    requests: Mapping[str, str] | None = None,
    **spec: JsonValue,
) -> JsonObject:
    """A pod template.

    Args:
        *containers: Its containers; one that requests ``requests`` when there are none.
        labels: Labels of its pods.
        requests: Quantities by resource name, of that one container.
        **spec: Further fields of the pod spec, by their names in the API.
    """
    template: JsonObject = {} if labels is None else {"metadata": {"labels": dict(labels)}}
    listed = deep_copy(list(containers)) or [container(requests=requests)]
    template["spec"] = {"containers": listed, **deep_copy(spec)}
    return template


def deployment(
    name: str = "web",
    *,
    replicas: int = 1,
    template: JsonObject | None = None,
    requests: Mapping[str, str] | None = None,
    spec: Mapping[str, JsonValue] | None = None,
    **rest: Any,
) -> JsonObject:
    """A Deployment.

    Args:
        name: Its name.
        replicas: Its count.
        template: Its pod template; one container that requests ``requests`` when None.
        requests: Quantities by resource name.
        spec: Further fields of the spec.
        **rest: As :func:`custom_resource` takes them.
    """
    return _workload("Deployment", name, replicas, template, requests, spec, rest)


def statefulset(
    name: str = "db",
    *,
    replicas: int = 1,
    template: JsonObject | None = None,
    requests: Mapping[str, str] | None = None,
    spec: Mapping[str, JsonValue] | None = None,
    **rest: Any,
) -> JsonObject:
    """A StatefulSet; arguments as :func:`deployment`."""
    more = {"serviceName": name, **(spec or {})}
    return _workload("StatefulSet", name, replicas, template, requests, more, rest)


def job(
    name: str = "batch",
    *,
    parallelism: int = 1,
    completions: int | None = None,
    template: JsonObject | None = None,
    requests: Mapping[str, str] | None = None,
    spec: Mapping[str, JsonValue] | None = None,
    **rest: Any,
) -> JsonObject:
    """A Job.

    Args:
        name: Its name.
        parallelism: Pods that run at the same time.
        completions: Pods that have to succeed; left out when None.
        template: Its pod template; one container that requests ``requests`` when None.
        requests: Quantities by resource name.
        spec: Further fields of the spec.
        **rest: As :func:`custom_resource` takes them.
    """
    count: JsonObject = {} if completions is None else {"completions": completions}
    pods = template or pod_template(requests=requests, restartPolicy="Never")
    whole = {"parallelism": parallelism, **count, "template": pods, **(spec or {})}
    return custom_resource("batch/v1", "Job", name, spec=whole, **rest)


def pod(
    name: str = "pod",
    *containers: JsonObject,
    requests: Mapping[str, str] | None = None,
    spec: Mapping[str, JsonValue] | None = None,
    **rest: Any,
) -> JsonObject:
    """A Pod.

    Args:
        name: Its name.
        *containers: Its containers; one that requests ``requests`` when there are none.
        requests: Quantities by resource name.
        spec: Further fields of the spec.
        **rest: As :func:`custom_resource` takes them.
    """
    whole = pod_template(*containers, requests=requests)["spec"] | dict(spec or {})
    return custom_resource("v1", "Pod", name, spec=whole, **rest)


def service(
    name: str = "web",
    *,
    port: int = 80,
    spec: Mapping[str, JsonValue] | None = None,
    **rest: Any,
) -> JsonObject:
    """A Service with one TCP port that selects ``app: <name>``; the rest as for others."""
    ports = [{"port": port, "protocol": "TCP"}]
    whole = {"selector": {"app": name}, "ports": ports, "type": "ClusterIP", **(spec or {})}
    return custom_resource("v1", "Service", name, spec=whole, **rest)


def condition(
    kind: str = "Ready",
    status: bool | None = True,
    *,
    reason: str = "",
    message: str = "",
    since: datetime | None = NOW,
) -> JsonObject:
    """A condition of a status.

    Args:
        kind: Its ``type``.
        status: True, False, or None for ``Unknown``.
        reason: A CamelCase word; left out when empty.
        message: A line for people; left out when empty.
        since: Its ``lastTransitionTime``; left out when None.
    """
    text = "Unknown" if status is None else str(status)
    made: JsonObject = {"type": kind, "status": text}
    made |= {key: value for key, value in (("reason", reason), ("message", message)) if value}
    if since is not None:
        made["lastTransitionTime"] = since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return made


def status_item(
    cluster: str,
    status: JsonValue = None,
    *,
    applied: bool = True,
    applied_message: str = "",
    health: str | None = None,
) -> JsonObject:
    """An AggregatedStatusItem (``work.karmada.io/v1alpha2``): what one cluster reports.

    Args:
        cluster: The cluster's name.
        status: The status that was reflected there; left out when None.
        applied: Whether the object could be applied.
        applied_message: Why not; left out when empty.
        health: ``Healthy``, ``Unhealthy`` or ``Unknown``; left out when None.
    """
    item: JsonObject = {"clusterName": cluster, "applied": applied}
    if status is not None:
        item["status"] = deep_copy(status)
    if applied_message:
        item["appliedMessage"] = applied_message
    if health is not None:
        item["health"] = health
    return item


def status_items(*statuses: JsonValue) -> list[JsonObject]:
    """Status items of clusters ``member1``, ``member2``, …, one for each status given."""
    return [status_item(f"member{number}", status) for number, status in enumerate(statuses, 1)]


def member_copy(
    template: JsonObject,
    *,
    generation: int = 1,
    spec: Mapping[str, JsonValue] | None = None,
    status: Mapping[str, JsonValue] | None = None,
    managers: Sequence[JsonObject] = (),
) -> JsonObject:
    """A template as a member cluster has it: with what its API server and controllers wrote.

    Args:
        template: The template.
        generation: ``metadata.generation`` in the member; that of the template, or 1, becomes the
            annotation that statuses refer to.
        spec: Fields of the spec that somebody in the member wrote.
        status: Its status there; that of the template when None.
        managers: Entries of ``metadata.managedFields``; left out when empty.
    """
    obj: JsonObject = deep_copy(template)
    meta = obj.setdefault("metadata", {})
    annotations = meta.setdefault("annotations", {})
    annotations.setdefault(GENERATION_ANNOTATION, str(meta.get("generation", 1)))
    meta["uid"] = "00000000-0000-4000-8000-000000000001"
    meta["resourceVersion"] = "1000"
    meta["generation"] = generation
    meta["creationTimestamp"] = NOW.strftime("%Y-%m-%dT%H:%M:%SZ")
    if managers:
        meta["managedFields"] = deep_copy(list(managers))
    if spec is not None:
        obj.setdefault("spec", {}).update(deep_copy(dict(spec)))
    if status is not None:
        obj["status"] = deep_copy(dict(status))
    return obj


def hook_context(
    cluster: str = "member1",
    *,
    labels: Mapping[str, str] | None = None,
    targets: int | None = 2,
    gates: Mapping[str, bool] | None = None,
    now: datetime = NOW,
) -> HookContext:
    """What a control plane tells a hook, with a clock that stands.

    Args:
        cluster: Name of the target cluster.
        labels: Labels of that cluster.
        targets: Number of clusters that the object goes to.
        gates: Feature gates.
        now: The time.
    """
    return HookContext(
        cluster_name=cluster,
        cluster_labels=dict(labels or {}),
        target_count=targets,
        feature_gates=dict(gates or {}),
        clock=lambda: now,
    )


def _workload(
    kind: str,
    name: str,
    replicas: int,
    template: JsonObject | None,
    requests: Mapping[str, str] | None,
    spec: Mapping[str, JsonValue] | None,
    rest: Mapping[str, Any],
) -> JsonObject:
    labels = {"app": name}
    pods = template or pod_template(labels=labels, requests=requests)
    whole = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": pods}
    return custom_resource("apps/v1", kind, name, spec=whole | dict(spec or {}), **rest)
