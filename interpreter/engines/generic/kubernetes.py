"""Kubernetes' own kinds whose health the conventions alone do not tell.

They are here and not among the native handlers because the reference has no rule of health for
them: a native handler would count as one (``hook_enabled``), and a control plane would act on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from interpreter.api.results import Health
from interpreter.codec import json
from interpreter.engines.generic.reading import count_of, fields_of
from interpreter.errors import InvalidObject
from interpreter.machinery.conditions import (
    Condition,
    find_condition,
    one_line,
    read_conditions,
)
from interpreter.machinery.unstructured import JsonObject, JsonValue

#: What a reader gets: metadata, spec and status.
Reader = Callable[[JsonObject, JsonObject, JsonObject], Health | None]


def interpret_own_kind(group: str, obj: JsonObject) -> Health | None:
    """What a kind of Kubernetes itself says about its state.

    Args:
        group: The group of the object.
        obj: The object, in any version of its group; wrong types are passed over.

    Returns:
        Its health, or None where the conventions decide.
    """
    kind = obj.get("kind")
    if not isinstance(kind, str):
        return None
    if (group, kind) in _WITHOUT_STATUS:
        return Health("Healthy", "PlainData", "nothing to wait for: the kind reports no status")
    reader = _READERS.get((group, kind))
    if reader is None:
        return None
    told = reader(*(fields_of(obj.get(field)) for field in ("metadata", "spec", "status")))
    if told is not None and told.status == "Healthy" and obj.get("status") is None:
        # The API server writes at least {} into these kinds: nobody has taken the object yet.
        return Health("Progressing", "NoStatus", "no controller has reported a status yet")
    return told


def _from(status: Sequence[Condition], kind: str, truth: str) -> Condition | None:
    found = find_condition(status, kind)
    return found if found is not None and found.truth == truth else None


def _told(status: str, condition: Condition) -> Health:
    return Health(status, condition.reason or condition.type, condition.message)  # type: ignore[arg-type]


def _job(_metadata: JsonObject, spec: JsonObject, status: JsonObject) -> Health:
    conditions = read_conditions(status.get("conditions"))
    complete, failed = (_from(conditions, kind, "True") for kind in ("Complete", "Failed"))
    if complete is not None:
        return _told("Healthy", complete)
    if failed is not None:
        return _told("Degraded", failed)
    suspended = _from(conditions, "Suspended", "True")
    if suspended is not None:
        return _told("Suspended", suspended)
    if spec.get("suspend") is True:
        return Health("Suspended", "Suspended", "spec.suspend is true")
    counts = ((count_of(status.get(field)), field) for field in ("active", "succeeded", "failed"))
    told = ", ".join(f"{count} {name}" for count, name in counts if count)
    if told or status.get("startTime"):
        return Health("Progressing", "Running", f"the job is running: {told or 'no pods yet'}")
    return Health("Progressing", "NotStarted", "the job has not started yet")


def _cron_job(_metadata: JsonObject, spec: JsonObject, status: JsonObject) -> Health:
    """A run failed that is over, but has no success at or after its schedule.

    Where no success was ever noted, nothing tells whether a run failed.
    """
    if spec.get("suspend") is True:
        return Health("Suspended", "Suspended", "spec.suspend is true")
    if status.get("active"):
        return Health("Healthy", "Active", "a job of the schedule is running")
    scheduled = one_line(status.get("lastScheduleTime"))
    # Both are RFC 3339 times in UTC, to the second: they compare as texts.
    succeeded = one_line(status.get("lastSuccessfulTime"))
    if scheduled and not succeeded:
        # A run that failed, one that somebody deleted, or all were before Kubernetes kept the time.
        return Health("Healthy", "NoSuccessKnown", f"no success is known, last run at {scheduled}")
    if scheduled and succeeded < scheduled:
        return Health("Degraded", "LastRunFailed", f"the run of {scheduled} has not succeeded")
    if scheduled:
        return Health("Healthy", "LastRunSucceeded", f"the last run succeeded at {succeeded}")
    schedule = one_line(spec.get("schedule"))
    return Health("Healthy", "Scheduled", f"waits for its schedule {schedule}".rstrip())


_OLD_CONDITIONS: Final = "autoscaling.alpha.kubernetes.io/conditions"


def _autoscaler(metadata: JsonObject, _spec: JsonObject, status: JsonObject) -> Health:
    """Able to scale is healthy; at rest because the target has no replicas is suspended."""
    conditions = read_conditions(status.get("conditions") or _conditions_of_v1(metadata))
    able, active = (find_condition(conditions, kind) for kind in ("AbleToScale", "ScalingActive"))
    if active is not None and active.truth == "False" and active.reason == "ScalingDisabled":
        return _told("Suspended", active)
    for condition in (able, active):
        if condition is not None and condition.truth == "False":
            waits = condition.reason.startswith("Backoff")
            return _told("Progressing" if waits else "Degraded", condition)
    if able is None or able.truth != "True":
        return Health("Progressing", "NotAbleToScale", "the autoscaler has not read its target yet")
    limited = _from(conditions, "ScalingLimited", "True")
    return _told("Healthy", limited or active or able)


def _conditions_of_v1(metadata: JsonObject) -> JsonValue:
    """``autoscaling/v1`` keeps the conditions of later versions in an annotation."""
    text = fields_of(metadata.get("annotations")).get(_OLD_CONDITIONS)
    try:
        return json.loads(text) if isinstance(text, str) else None
    except InvalidObject:
        return None


def _definition(_metadata: JsonObject, _spec: JsonObject, status: JsonObject) -> Health | None:
    conditions = read_conditions(status.get("conditions"))
    established = find_condition(conditions, "Established")
    bad = _from(conditions, "NamesAccepted", "False") or _from(
        conditions, "NonStructuralSchema", "True"
    )
    if _from(conditions, "Terminating", "True") or not conditions or bad or established is None:
        return _told("Degraded", bad) if bad else None
    if established.truth == "True":
        return _told("Healthy", established)
    # "Installing" is the short time between accepted names and a served API.
    return _told("Progressing" if established.reason == "Installing" else "Degraded", established)


def _api_service(_metadata: JsonObject, _spec: JsonObject, status: JsonObject) -> Health | None:
    """What is not available is asked again and again: the aggregator never gives up."""
    available = find_condition(read_conditions(status.get("conditions")), "Available")
    if available is None:
        return None
    return _told("Healthy" if available.truth == "True" else "Progressing", available)


def _volume(_metadata: JsonObject, spec: JsonObject, status: JsonObject) -> Health | None:
    if status.get("phase") != "Released":
        return None
    if spec.get("persistentVolumeReclaimPolicy") == "Retain":
        return Health("Suspended", "Released", "its claim is gone; a person has to reclaim it")
    return Health("Progressing", "Released", "its claim is gone; it is being reclaimed")


def _node(_metadata: JsonObject, spec: JsonObject, status: JsonObject) -> Health | None:
    ready = find_condition(read_conditions(status.get("conditions")), "Ready")
    if ready is not None and ready.truth != "True":
        return _told("Degraded", ready)
    if ready is not None and spec.get("unschedulable") is True:
        return Health("Suspended", "SchedulingDisabled", "spec.unschedulable is true")
    return None


def _quota(_metadata: JsonObject, _spec: JsonObject, status: JsonObject) -> Health | None:
    """Used up is no fault of the quota: it does what it is for."""
    return Health("Healthy", "Counted", "the quota is counted") if status.get("hard") else None


def _request(_metadata: JsonObject, _spec: JsonObject, status: JsonObject) -> Health | None:
    conditions = read_conditions(status.get("conditions"))
    if conditions:
        return None
    return Health("Suspended", "Pending", "waits for somebody to approve or deny it")


def _attachment(_metadata: JsonObject, _spec: JsonObject, status: JsonObject) -> Health | None:
    error = fields_of(status.get("attachError") or status.get("detachError"))
    if status.get("attached") is True:
        return Health("Healthy", "Attached", "the volume is attached")
    if error:
        return Health("Degraded", "AttachError", one_line(error.get("message")))
    return Health("Progressing", "Attaching", "the volume is not attached yet")


def _claim(_metadata: JsonObject, _spec: JsonObject, status: JsonObject) -> Health | None:
    if status.get("allocation"):
        return Health("Healthy", "Allocated", "a device is allocated")
    return Health("Progressing", "NotAllocated", "waits for a pod that needs it, or for a device")


def _admission(_metadata: JsonObject, _spec: JsonObject, status: JsonObject) -> Health | None:
    if not status.get("observedGeneration"):
        return None
    if fields_of(status.get("typeChecking")).get("expressionWarnings"):
        return Health("Degraded", "ExpressionWarnings", "an expression does not fit its types")
    return Health("Healthy", "Checked", "its expressions are checked")


_READERS: Final[dict[tuple[str, str], Reader]] = {
    ("batch", "Job"): _job,
    ("batch", "CronJob"): _cron_job,
    ("autoscaling", "HorizontalPodAutoscaler"): _autoscaler,
    ("apiextensions.k8s.io", "CustomResourceDefinition"): _definition,
    ("apiregistration.k8s.io", "APIService"): _api_service,
    ("core", "PersistentVolume"): _volume,
    ("core", "Node"): _node,
    ("core", "ResourceQuota"): _quota,
    ("certificates.k8s.io", "CertificateSigningRequest"): _request,
    ("storage.k8s.io", "VolumeAttachment"): _attachment,
    ("resource.k8s.io", "ResourceClaim"): _claim,
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"): _admission,
}
#: They have a spec, but no status that anybody writes.
_WITHOUT_STATUS: Final = frozenset(
    {
        ("core", "LimitRange"),
        ("coordination.k8s.io", "Lease"),
        ("networking.k8s.io", "IngressClass"),
        ("networking.k8s.io", "NetworkPolicy"),
        ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"),
        ("resource.k8s.io", "DeviceClass"),
        ("resource.k8s.io", "ResourceClaimTemplate"),
        ("resource.k8s.io", "ResourceSlice"),
        ("storage.k8s.io", "CSIDriver"),
        ("storage.k8s.io", "CSINode"),
    }
)
