"""v1 Pod."""

from __future__ import annotations

from typing import Any

from interpreter.api.results import DependentObjectReference, Health, ReplicaResult
from interpreter.codec.copying import copy_object
from interpreter.engines.native.health import conditions_of
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.statuses import (
    Items,
    each_status,
    folded_objects,
    settle,
    significant,
    status_of,
    worst_phase,
)
from interpreter.engines.native.templates import components_from, dependencies_at, requirements_of
from interpreter.errors import InvalidObject, number_text
from interpreter.machinery.conditions import find_condition, one_line
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import (
    JsonObject,
    deep_copy,
    is_integer,
    list_or_empty,
    map_at,
    objects_at,
    read_bool,
    read_map,
    read_str,
)

_PHASES = ("Failed", "Pending", "Running", "Succeeded")
_CONTAINER_STATUSES = ("containerStatuses", "initContainerStatuses")
_STATUS = frozenset({"phase", *_CONTAINER_STATUSES})
_CONTAINER = frozenset(
    {
        "name",
        "state",
        "lastState",
        "ready",
        "restartCount",
        "image",
        "imageID",
        "containerID",
        "started",
    }
)


def get_replicas(obj: JsonObject) -> ReplicaResult:
    """One replica; its requirements are the pod's own."""
    return ReplicaResult(1, requirements_of(map_at(obj, "spec"), ("spec",)))


def get_dependencies(obj: JsonObject) -> list[DependentObjectReference]:
    """Those of the pod's own spec."""
    return dependencies_at(obj, ("spec",))


def retain(desired: JsonObject, observed: JsonObject) -> JsonObject:
    """Keeps what the member's API server and scheduler set.

    Node, service account, volumes and their mounts.

    Each of them is replaced by the member's, also by nothing. A member's container gives its mounts
    to the first one of that name in the template.
    """
    retained = copy_object(desired)
    spec = _pod_spec(retained, "desired")
    member = _pod_spec(observed, "observed")
    for field in ("nodeName", "serviceAccountName"):
        _replace(spec, field, read_str(member, field, "spec") or None)
    volumes = list_or_empty(member, "volumes", "spec")
    _replace(spec, "volumes", deep_copy(list(volumes)) or None)
    for field in ("containers", "initContainers"):
        receivers: dict[str, JsonObject] = {}
        for name, container in _containers(spec, field):
            receivers.setdefault(name, container)
        for name, container in _containers(member, field):
            receiver = receivers.get(name)
            if receiver is not None:
                mounts = deep_copy(container.get("volumeMounts"))
                _replace(receiver, "volumeMounts", mounts or None)
    if not desired.get("spec") and not spec:
        return retained
    retained["spec"] = spec
    return retained


def _pod_spec(pod: JsonObject, which: str) -> JsonObject:
    spec = pod.get("spec")
    if spec is None:
        return {}
    if not isinstance(spec, dict):
        raise InvalidObject(f"must be an object in the {which} pod", path="spec", value=spec)
    return spec


def _containers(spec: JsonObject, field: str) -> list[tuple[str, JsonObject]]:
    """Name and container, nulls left out."""
    found = []
    for index, container in enumerate(objects_at(spec, field, "spec")):
        if container is not None:
            path = f"spec.{field}[{index}]"
            list_or_empty(container, "volumeMounts", path)
            found.append((read_str(container, "name", path), container))
    return found


def _replace(parent: JsonObject, field: str, value: object) -> None:
    if value is None:
        parent.pop(field, None)
    else:
        parent[field] = value


def aggregate_status(obj: JsonObject, items: Items) -> JsonObject:
    """The worst phase of all members; container statuses keep only ``ready`` and ``state``.

    Phases rank Failed, Pending, Running, Succeeded; a member without status is Pending. Without a
    list of items the pod is returned as it is.
    """
    old = status_of(obj)
    _check_old(old)
    if items is None:
        return copy_object(obj)
    new: JsonObject = {}
    phase = worst_phase(items, _PHASES)
    if phase:
        new["phase"] = phase
    for at, _item, status in each_status(items, _STATUS):
        for field in _CONTAINER_STATUSES if status is not None else ():
            entries = folded_objects(status or {}, field, f"{at}.status", _CONTAINER)
            if entries:
                new.setdefault(field, []).extend(
                    _short(entry, f"{at}.status.{field}[{position}]")
                    for position, entry in enumerate(entries)
                )
    # A typed client fills in empty names and counts: those alone are no change.
    if significant(_shortened(old)) == significant(new):
        return settle(obj, old)
    return settle(obj, new)


def _check_old(old: JsonObject) -> None:
    read_str(old, "phase", "status")
    for field in _CONTAINER_STATUSES:
        objects_at(old, field, "status")


def _short(entry: JsonObject, path: str) -> JsonObject:
    ready, state = read_bool(entry, "ready", path), read_map(entry, "state", path)
    return {"ready": ready, "state": deep_copy(state or {})}


def _shortened(status: JsonObject) -> JsonObject:
    shortened = dict(status)
    for field in _CONTAINER_STATUSES:
        entries = status.get(field)
        if entries and all(
            not significant({k: v for k, v in entry.items() if k not in ("ready", "state")})
            for entry in entries
            if entry
        ):
            shortened[field] = [
                _short(entry or {}, f"status.{field}[{position}]")
                for position, entry in enumerate(entries)
            ]
    return shortened


def interpret_health(obj: JsonObject) -> Health:
    """Running and ready, or succeeded.

    Containers that cannot start or keep crashing are Degraded, unless the pod runs to completion:
    it is tried again, or it fails.
    """
    status = status_of(obj)
    conditions = conditions_of(status)
    phase = read_str(status, "phase", "status")
    policy = read_str(map_at(obj, "spec"), "restartPolicy", "spec")
    ready = find_condition(conditions, "Ready")
    is_ready = ready is not None and ready.truth == "True"
    healthy = phase == "Succeeded" or (phase == "Running" and is_ready)
    if phase == "Succeeded":
        return Health("Healthy", "Succeeded", "all containers have succeeded", healthy)
    if phase == "Failed":
        return Health("Degraded", *_failure(status), healthy)
    trouble = _waiting_trouble(status)
    if trouble is not None and policy in ("", "Always"):
        return Health("Degraded", *trouble, healthy)
    if phase in ("", "Pending"):
        reason, message = phase or "NotStarted", "the pod has not started yet"
        scheduled = find_condition(conditions, "PodScheduled")
        if scheduled is not None and scheduled.truth == "False":
            reason, message = scheduled.reason or reason, scheduled.message or message
        return Health("Progressing", reason, message, healthy)
    if phase != "Running":
        return Health("Unknown", one_line(phase), "the pod's phase is not known", healthy)
    if policy in ("OnFailure", "Never"):
        return Health("Progressing", "Running", "the pod runs to completion", healthy)
    if is_ready:
        return Health("Healthy", "Ready", "the pod is running and ready", healthy)
    crash = _crash(status)
    if crash is not None:
        return Health("Degraded", *crash, healthy)
    reason, message = ("NotReady", "") if ready is None else (ready.reason, ready.message)
    return Health(
        "Progressing", reason or "NotReady", message or "the pod is not ready yet", healthy
    )


def _entries(status: JsonObject) -> list[JsonObject]:
    return [
        entry
        for field in ("initContainerStatuses", "containerStatuses")
        for entry in objects_at(status, field, "status")
        if entry
    ]


def _waiting_trouble(status: JsonObject) -> tuple[str, str] | None:
    """Reason and message of a container that waits because of an error."""
    for entry in _entries(status):
        waiting = entry.get("state")
        waiting = waiting.get("waiting") if isinstance(waiting, dict) else None
        reason = one_line(waiting.get("reason")) if isinstance(waiting, dict) else ""
        if reason.startswith("Err") or reason.endswith(("Error", "BackOff")):
            message = one_line(waiting.get("message"))  # type: ignore[union-attr]
            return reason, message or f"container {one_line(entry.get('name'))} cannot start"
    return None


def _crash(status: JsonObject) -> tuple[str, str] | None:
    """Reason and message of a container that ended before, and is not ready again."""
    for entry in objects_at(status, "containerStatuses", "status"):
        before = (entry or {}).get("lastState")
        ended = before.get("terminated") if isinstance(before, dict) else None
        if entry and isinstance(ended, dict) and entry.get("ready") is not True:
            code: Any = ended.get("exitCode")
            ending = f" with exit code {number_text(code)}" if is_integer(code) and code else ""
            said = one_line(ended.get("message"))
            return (
                one_line(ended.get("reason")) or "Restarted",
                said or f"container {one_line(entry.get('name'))} ended{ending}; not ready again",
            )
    return None


def _failure(status: JsonObject) -> tuple[str, str]:
    """Reason and message of a failed pod: its own, else those of the first failed container."""
    reason, message = one_line(status.get("reason")), one_line(status.get("message"))
    for entry in _entries(status) if not message else ():
        state = entry.get("state")
        ended = state.get("terminated") if isinstance(state, dict) else None
        code = ended.get("exitCode") if isinstance(ended, dict) else None
        if ended and is_integer(code) and code:
            ending = f"container {one_line(entry.get('name'))} failed with exit code "
            return (
                reason or one_line(ended.get("reason")) or "Failed",
                one_line(ended.get("message")) or ending + number_text(code),
            )
    return reason or "Failed", message or "the pod has failed"


KIND = NativeKind(
    gvk=GVK("", "v1", "Pod"),
    get_replicas=get_replicas,
    get_components=components_from(get_replicas),
    retain=retain,
    aggregate_status=aggregate_status,
    interpret_health=interpret_health,
    get_dependencies=get_dependencies,
)
