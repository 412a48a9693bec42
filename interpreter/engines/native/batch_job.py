"""batch/v1 Job."""

from __future__ import annotations

from datetime import datetime

from interpreter.api.context import HookContext
from interpreter.api.results import ReplicaResult
from interpreter.codec.copying import copy_object
from interpreter.engines.native.kind import NativeKind
from interpreter.engines.native.retention import read_strict, write
from interpreter.engines.native.statuses import (
    Items,
    each_status,
    folded_objects,
    member_int,
    member_time,
    parse_time,
    settle,
    status_of,
)
from interpreter.engines.native.templates import (
    TEMPLATE_SPEC,
    components_from,
    count_at,
    requirements_of,
    revise,
    template_dependencies,
)
from interpreter.machinery.gvk import GVK
from interpreter.machinery.timestamps import format_time
from interpreter.machinery.unstructured import (
    JsonObject,
    check_string_values,
    deep_copy,
    map_at,
    objects_at,
    read_bool,
    read_int,
    read_map,
    read_str,
    strict_string_map,
)

_COUNTS = ("active", "succeeded", "failed")
_STATUS = frozenset({*_COUNTS, "startTime", "completionTime", "conditions"})
_CONDITION = frozenset({"type", "status"})
_SELECTOR = ("spec", "selector", "matchLabels")
_TEMPLATE_LABELS = ("spec", "template", "metadata", "labels")
_CONTROLLER_LABELS = ("controller-uid", "batch.kubernetes.io/controller-uid")
_JOB_LABELS = (*_CONTROLLER_LABELS, "job-name", "batch.kubernetes.io/job-name")


def get_replicas(obj: JsonObject) -> ReplicaResult:
    """Parallelism (0 when missing), capped by completions when those are set."""
    parallelism = count_at(obj, "parallelism") or 0
    completions = count_at(obj, "completions")
    if completions is not None:
        parallelism = min(parallelism, completions)
    return ReplicaResult(parallelism, requirements_of(map_at(obj, *TEMPLATE_SPEC), TEMPLATE_SPEC))


def revise_replica(obj: JsonObject, replicas: int) -> JsonObject:
    """Writes ``spec.parallelism``."""
    return revise(obj, replicas, field="parallelism")


def retain(desired: JsonObject, observed: JsonObject) -> JsonObject:
    """Keeps the selector and the template labels that the member's job controller generated."""
    retained = copy_object(desired)
    for path in (_SELECTOR, _TEMPLATE_LABELS):
        labels = read_strict(observed, path, strict_string_map)
        if labels is not None:
            write(retained, path, dict(labels))
    return retained


def aggregate_status(obj: JsonObject, items: Items, context: HookContext) -> JsonObject:
    """Sums the counts; Failed names the clusters that failed, Complete needs all of them.

    A job that is finished already stays untouched. The start is the template's own, else the
    earliest of the members once all have one; the completion is the latest once all have one.
    """
    _check_spec(map_at(obj, "spec"))
    old = status_of(obj)
    start = _template_start(old)
    if _is_finished(old):
        return copy_object(obj)
    counts = dict.fromkeys(_COUNTS, 0)
    starts: list[datetime] = []
    ends: list[datetime] = []
    failed: list[str] = []
    complete = criteria_met = 0
    for item_path, item, status in each_status(items, _STATUS):
        if status is None:
            continue
        at = f"{item_path}.status"
        for field in _COUNTS:
            counts[field] += member_int(status, field, at)
        conditions = folded_objects(status, "conditions", at, _CONDITION)
        finished = _finished_as(conditions, at)
        if finished == "Failed":
            failed.append(read_str(item, "clusterName", item_path))
        complete += finished == "Complete"
        criteria_met += any(
            entry.get("type") == "SuccessCriteriaMet" and entry.get("status") == "True"
            for entry in conditions
        )
        starts.extend(filter(None, (member_time(status, "startTime", at),)))
        ends.extend(filter(None, (member_time(status, "completionTime", at),)))
    total = len(items or ())
    new: JsonObject = {field: count for field, count in counts.items() if count}
    conditions = _outcome(failed, complete == total > 0, criteria_met == total, context)
    if conditions:
        new["conditions"] = conditions
    if start is None and len(starts) == total > 0:
        start = min(starts)
    if start is not None:
        new["startTime"] = format_time(start)
    if len(ends) == total > 0:
        new["completionTime"] = format_time(max(ends))
    return settle(obj, new)


def _template_start(old: JsonObject) -> datetime | None:
    started = old.get("startTime")
    return None if started is None else parse_time(started, "status.startTime")


def _is_finished(status: JsonObject) -> bool:
    finished = False
    for index, entry in enumerate(objects_at(status, "conditions", "status")):
        path = f"status.conditions[{index}]"
        kind, truth = (read_str(entry or {}, field, path) for field in ("type", "status"))
        finished = finished or (kind in ("Complete", "Failed") and truth == "True")
    return finished


def _finished_as(conditions: list[JsonObject], path: str) -> str:
    """Type of the first true finishing condition; empty while the job runs."""
    found = ""
    for position, entry in enumerate(conditions):
        kind, truth = (
            read_str(entry, field, f"{path}.conditions[{position}]") for field in ("type", "status")
        )
        if not found and kind in ("Complete", "Failed") and truth == "True":
            found = kind
    return found


def _outcome(
    failed: list[str], complete: bool, criteria_met: bool, context: HookContext
) -> list[JsonObject]:
    now = format_time(context.clock())

    def condition(kind: str, reason: str, message: str) -> JsonObject:
        return {
            "type": kind,
            "status": "True",
            "lastProbeTime": now,
            "lastTransitionTime": now,
            "reason": reason,
            "message": message,
        }

    conditions = []
    if failed:
        message = f"Job executed failed in member clusters {','.join(failed)}"
        conditions.append(condition("Failed", "JobFailed", message))
    if complete:
        conditions.append(condition("Complete", "Completed", "Job completed"))
        if criteria_met:
            message = "All member clusters have met success criteria"
            conditions.append(condition("SuccessCriteriaMet", "CompletionsReached", message))
    return conditions


def reflect_status(obj: JsonObject) -> JsonObject | None:
    """Counts, conditions, start and completion time."""
    status = read_map(obj, "status")
    if status is None:
        return None
    collected: JsonObject = {}
    for field in _COUNTS:
        value = read_int(status, field, "status")
        if value:
            collected[field] = value
    conditions = objects_at(status, "conditions", "status")
    if conditions:
        collected["conditions"] = deep_copy(list(conditions))
    for field in ("startTime", "completionTime"):
        if status.get(field) is not None:
            collected[field] = format_time(parse_time(status[field], f"status.{field}"))
    return collected


def prune_rule(obj: JsonObject, remove_job_ttl: bool) -> None:
    """Drops generated labels from selector and template, unless the selector is the user's own.

    Raises:
        InvalidObject: A field of the job has the wrong type.
    """
    spec = map_at(obj, "spec")
    manual = _check_spec(spec)
    selector, labels = map_at(obj, *_SELECTOR), map_at(obj, *_TEMPLATE_LABELS)
    for path, mapping in ((_SELECTOR, selector), (_TEMPLATE_LABELS, labels)):
        check_string_values(mapping, ".".join(path))
    if not manual:
        for name in _CONTROLLER_LABELS:
            selector.pop(name, None)
        for name in _JOB_LABELS:
            labels.pop(name, None)
    if remove_job_ttl:
        spec.pop("ttlSecondsAfterFinished", None)


def _check_spec(spec: JsonObject) -> bool:
    """Checks the numbers of a job; returns whether its selector is the user's own."""
    for field in ("parallelism", "completions", "backoffLimit", "ttlSecondsAfterFinished"):
        read_int(spec, field, "spec")
    return read_bool(spec, "manualSelector", "spec")


KIND = NativeKind(
    gvk=GVK("batch", "v1", "Job"),
    get_replicas=get_replicas,
    get_components=components_from(get_replicas),
    revise_replica=revise_replica,
    retain=retain,
    aggregate_status=aggregate_status,
    reflect_status=reflect_status,
    get_dependencies=template_dependencies,
    prune_rule=prune_rule,
)
