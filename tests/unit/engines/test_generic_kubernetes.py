"""Kubernetes' own kinds that have no native rule of health."""

from __future__ import annotations

import json
from typing import Any

import pytest

from interpreter import GVK, Operation, ResourceInterpreter
from interpreter.api.results import Health
from interpreter.engines.generic import interpret_health


def stored(api_version: str, kind: str, **fields: Any) -> dict[str, Any]:
    metadata = {"name": "shop", "uid": "c0ffee", **fields.pop("metadata", {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **fields}


def condition(kind: str, status: str, reason: str = "", message: str = "") -> dict[str, str]:
    return {"type": kind, "status": status, "reason": reason, "message": message}


def conditions(*items: Any, **more: Any) -> dict[str, Any]:
    return {"conditions": list(items), **more}


def job(status: Any = None, **spec: Any) -> dict[str, Any]:
    return stored("batch/v1", "Job", spec={"completions": 3, **spec}, status=status or {})


def cron_job(status: Any = None, **spec: Any) -> dict[str, Any]:
    return stored("batch/v1", "CronJob", spec={"schedule": "@daily", **spec}, status=status or {})


def scaler(*items: Any, **more: Any) -> dict[str, Any]:
    status = conditions(*items, **more)
    return stored("autoscaling/v2", "HorizontalPodAutoscaler", spec={}, status=status)


def old_scaler(annotation: Any) -> dict[str, Any]:
    metadata = {"annotations": {"autoscaling.alpha.kubernetes.io/conditions": annotation}}
    return stored(
        "autoscaling/v1",
        "HorizontalPodAutoscaler",
        metadata=metadata,
        status={"desiredReplicas": 1},
    )


def definition(*items: Any) -> dict[str, Any]:
    status = conditions(*items)
    return stored("apiextensions.k8s.io/v1", "CustomResourceDefinition", spec={}, status=status)


def core(kind: str, spec: Any, status: Any) -> dict[str, Any]:
    return stored("v1", kind, spec=spec, status=status)


ACCEPTED = condition("NamesAccepted", "True", "NoConflicts", "no conflicts found")
ABLE = condition("AbleToScale", "True", "ReadyForNewScale", "sizes match")
MEASURED = condition("ScalingActive", "True", "ValidMetricFound", "cpu is known")
RUN = {"lastScheduleTime": "2026-05-04T10:00:00Z"}

# id, object, status, reason, message
CASES: list[tuple[str, dict[str, Any], str, str, str]] = [
    ("job-new", job(), "Progressing", "NotStarted", "the job has not started yet"),
    (
        "job-running",
        job({"startTime": "2026-05-04T10:00:00Z", "active": 2, "succeeded": 1, "failed": 0}),
        "Progressing",
        "Running",
        "the job is running: 2 active, 1 succeeded",
    ),
    (
        "job-that-was-suspended",
        job(conditions(condition("Suspended", "False", "JobResumed"), startTime="10:00")),
        "Progressing",
        "Running",
        "the job is running: no pods yet",
    ),
    (
        "job-suspended",
        job(conditions(condition("Suspended", "True", "JobSuspended", "Job suspended"))),
        "Suspended",
        "JobSuspended",
        "Job suspended",
    ),
    (
        "job-to-be-suspended",
        job(suspend=True),
        "Suspended",
        "Suspended",
        "spec.suspend is true",
    ),
    (
        "job-complete",
        job(conditions(condition("Complete", "True", "CompletionsReached")), suspend=True),
        "Healthy",
        "CompletionsReached",
        "",
    ),
    (
        "job-failed",
        job(
            conditions(
                condition("FailureTarget", "True", "BackoffLimitExceeded"),
                condition("Failed", "True", "BackoffLimitExceeded", "reached the limit"),
            )
        ),
        "Degraded",
        "BackoffLimitExceeded",
        "reached the limit",
    ),
    ("cronjob-new", cron_job(), "Healthy", "Scheduled", "waits for its schedule @daily"),
    (
        "cronjob-suspended",
        cron_job(RUN, suspend=True),
        "Suspended",
        "Suspended",
        "spec.suspend is true",
    ),
    (
        "cronjob-running-after-a-failure",
        cron_job({**RUN, "active": [{"name": "shop-1"}]}),
        "Healthy",
        "Active",
        "a job of the schedule is running",
    ),
    (
        "cronjob-whose-last-run-failed",
        cron_job({**RUN, "lastSuccessfulTime": "2026-05-03T10:01:00Z"}),
        "Degraded",
        "LastRunFailed",
        "the run of 2026-05-04T10:00:00Z has not succeeded",
    ),
    (
        "cronjob-without-any-success",
        cron_job(RUN),
        "Healthy",
        "NoSuccessKnown",
        "no success is known, last run at 2026-05-04T10:00:00Z",
    ),
    (
        "cronjob-without-a-status",
        stored("batch/v1", "CronJob", spec={"schedule": "@daily"}),
        "Progressing",
        "NoStatus",
        "no controller has reported a status yet",
    ),
    (
        "cronjob-whose-last-run-succeeded",
        cron_job({**RUN, "lastSuccessfulTime": "2026-05-04T10:01:00Z"}),
        "Healthy",
        "LastRunSucceeded",
        "the last run succeeded at 2026-05-04T10:01:00Z",
    ),
    ("hpa-able", scaler(ABLE, MEASURED), "Healthy", "ValidMetricFound", "cpu is known"),
    (
        "hpa-at-its-limit",
        scaler(ABLE, MEASURED, condition("ScalingLimited", "True", "TooManyReplicas", "10 max")),
        "Healthy",
        "TooManyReplicas",
        "10 max",
    ),
    (
        "hpa-that-never-read-its-target",
        scaler(MEASURED),
        "Progressing",
        "NotAbleToScale",
        "the autoscaler has not read its target yet",
    ),
    (
        "hpa-without-a-target",
        scaler(condition("AbleToScale", "False", "FailedGetScale", "no such target"), MEASURED),
        "Degraded",
        "FailedGetScale",
        "no such target",
    ),
    (
        "hpa-without-metrics",
        scaler(ABLE, condition("ScalingActive", "False", "FailedGetResourceMetric", "no metrics")),
        "Degraded",
        "FailedGetResourceMetric",
        "no metrics",
    ),
    (
        "hpa-that-backs-off",
        scaler(condition("AbleToScale", "False", "BackoffBoth", "too soon")),
        "Progressing",
        "BackoffBoth",
        "too soon",
    ),
    (
        "hpa-at-rest",
        scaler(ABLE, condition("ScalingActive", "False", "ScalingDisabled", "no replicas")),
        "Suspended",
        "ScalingDisabled",
        "no replicas",
    ),
    ("hpa-of-v1", old_scaler(json.dumps([ABLE])), "Healthy", "ReadyForNewScale", "sizes match"),
    (
        "hpa-of-v1-without-conditions",
        old_scaler("[not json"),
        "Progressing",
        "NotAbleToScale",
        "the autoscaler has not read its target yet",
    ),
    (
        "definition-established",
        definition(ACCEPTED, condition("Established", "True", "InitialNamesAccepted", "done")),
        "Healthy",
        "InitialNamesAccepted",
        "done",
    ),
    (
        "definition-being-installed",
        definition(ACCEPTED, condition("Established", "False", "Installing", "soon")),
        "Progressing",
        "Installing",
        "soon",
    ),
    (
        "definition-not-established",
        definition(ACCEPTED, condition("Established", "False", "NotAccepted", "no")),
        "Degraded",
        "NotAccepted",
        "no",
    ),
    (
        "definition-whose-names-are-taken",
        definition(condition("NamesAccepted", "False", "PluralConflict", "taken")),
        "Degraded",
        "PluralConflict",
        "taken",
    ),
    (
        "definition-without-a-structural-schema",
        definition(
            ACCEPTED,
            condition("Established", "True", "InitialNamesAccepted"),
            condition("NonStructuralSchema", "True", "Violations", "spec.x: no type"),
        ),
        "Degraded",
        "Violations",
        "spec.x: no type",
    ),
    (
        "definition-on-its-way-out",
        definition(condition("Terminating", "True", "InstanceDeletionInProgress", "3 left")),
        "Progressing",
        "InstanceDeletionInProgress",
        "3 left",
    ),
    (
        "definition-without-conditions",
        definition(),
        "Progressing",
        "NoConditions",
        "no controller has reported a condition yet",
    ),
    (
        "api-that-is-served",
        stored(
            "apiregistration.k8s.io/v1",
            "APIService",
            status=conditions(condition("Available", "True", "Passed", "all checks passed")),
        ),
        "Healthy",
        "Passed",
        "all checks passed",
    ),
    (
        "api-that-does-not-answer",
        stored(
            "apiregistration.k8s.io/v1",
            "APIService",
            status=conditions(condition("Available", "False", "MissingEndpoints", "no addresses")),
        ),
        "Progressing",
        "MissingEndpoints",
        "no addresses",
    ),
    ("volume-bound", core("PersistentVolume", {}, {"phase": "Bound"}), "Healthy", "Bound", ""),
    (
        "volume-that-failed",
        core("PersistentVolume", {}, {"phase": "Failed", "message": "no deleter"}),
        "Degraded",
        "Failed",
        "no deleter",
    ),
    (
        "volume-that-is-kept",
        core(
            "PersistentVolume", {"persistentVolumeReclaimPolicy": "Retain"}, {"phase": "Released"}
        ),
        "Suspended",
        "Released",
        "its claim is gone; a person has to reclaim it",
    ),
    (
        "volume-that-is-reclaimed",
        core("PersistentVolume", {}, {"phase": "Released"}),
        "Progressing",
        "Released",
        "its claim is gone; it is being reclaimed",
    ),
    ("namespace", core("Namespace", {"a": 1}, {"phase": "Active"}), "Healthy", "Active", ""),
    (
        "namespace-on-its-way-out",
        core("Namespace", {}, {"phase": "Terminating"}),
        "Progressing",
        "Terminating",
        "",
    ),
    (
        "node-that-is-silent",
        core("Node", {}, conditions(condition("Ready", "Unknown", "NodeStatusUnknown", "silent"))),
        "Degraded",
        "NodeStatusUnknown",
        "silent",
    ),
    (
        "node-that-is-cordoned",
        core(
            "Node", {"unschedulable": True}, conditions(condition("Ready", "True", "KubeletReady"))
        ),
        "Suspended",
        "SchedulingDisabled",
        "spec.unschedulable is true",
    ),
    (
        "node-under-pressure",
        core(
            "Node",
            {},
            conditions(
                condition("MemoryPressure", "True", "KubeletHasInsufficientMemory"),
                condition("Ready", "True", "KubeletReady"),
            ),
        ),
        "Degraded",
        "KubeletHasInsufficientMemory",
        "",
    ),
    (
        "quota",
        core("ResourceQuota", {"hard": {"pods": "4"}}, {"hard": {"pods": "4"}, "used": {}}),
        "Healthy",
        "Counted",
        "the quota is counted",
    ),
    (
        "request-that-waits-for-a-person",
        stored("certificates.k8s.io/v1", "CertificateSigningRequest", spec={"a": 1}, status={}),
        "Suspended",
        "Pending",
        "waits for somebody to approve or deny it",
    ),
    (
        "request-that-was-denied",
        stored(
            "certificates.k8s.io/v1",
            "CertificateSigningRequest",
            status=conditions(condition("Denied", "True", "KubectlDeny", "not you")),
        ),
        "Degraded",
        "KubectlDeny",
        "not you",
    ),
    (
        "attachment",
        stored("storage.k8s.io/v1", "VolumeAttachment", status={"attached": True}),
        "Healthy",
        "Attached",
        "the volume is attached",
    ),
    (
        "attachment-on-its-way",
        stored("storage.k8s.io/v1", "VolumeAttachment", spec={"a": 1}),
        "Progressing",
        "Attaching",
        "the volume is not attached yet",
    ),
    (
        "attachment-that-fails",
        stored(
            "storage.k8s.io/v1",
            "VolumeAttachment",
            status={"attached": False, "attachError": {"message": "no such disk"}},
        ),
        "Degraded",
        "AttachError",
        "no such disk",
    ),
    (
        "claim-with-a-device",
        stored("resource.k8s.io/v1", "ResourceClaim", status={"allocation": {"devices": {}}}),
        "Healthy",
        "Allocated",
        "a device is allocated",
    ),
    (
        "claim-without-a-device",
        stored("resource.k8s.io/v1", "ResourceClaim", status={}),
        "Progressing",
        "NotAllocated",
        "waits for a pod that needs it, or for a device",
    ),
    (
        "policy-whose-expressions-fit",
        stored(
            "admissionregistration.k8s.io/v1",
            "ValidatingAdmissionPolicy",
            status={"observedGeneration": 1, "typeChecking": {}},
        ),
        "Healthy",
        "Checked",
        "its expressions are checked",
    ),
    (
        "policy-whose-expressions-do-not-fit",
        stored(
            "admissionregistration.k8s.io/v1",
            "ValidatingAdmissionPolicy",
            status={"observedGeneration": 1, "typeChecking": {"expressionWarnings": [{}]}},
        ),
        "Degraded",
        "ExpressionWarnings",
        "an expression does not fit its types",
    ),
    (
        "policy-that-nobody-has-checked",
        stored("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", spec={}, status={}),
        "Progressing",
        "NoStatus",
        "no controller has reported a status yet",
    ),
    (
        "flow-schema",
        stored(
            "flowcontrol.apiserver.k8s.io/v1",
            "FlowSchema",
            status=conditions(condition("Dangling", "False", "Found", "its level exists")),
        ),
        "Healthy",
        "Found",
        "its level exists",
    ),
    (
        "network-policy-of-a-file",
        {
            "apiVersion": "networking.k8s.io/v1",
            "kind": "NetworkPolicy",
            "spec": {"podSelector": {}},
        },
        "Healthy",
        "PlainData",
        "nothing to wait for: the kind reports no status",
    ),
]


@pytest.mark.parametrize(
    ("obj", "want", "reason", "message"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_kinds_of_kubernetes_tell_their_state(
    obj: dict[str, Any], want: str, reason: str, message: str
) -> None:
    assert interpret_health(obj) == Health(want, reason, message)  # type: ignore[arg-type]


def test_a_generation_that_was_not_looked_at_is_on_its_way() -> None:
    obj = scaler(ABLE, observedGeneration=1)
    obj["metadata"]["generation"] = 2
    assert interpret_health(obj).reason == "StaleGeneration"
    bad = scaler(condition("AbleToScale", "False", "FailedGetScale"), observedGeneration=1)
    bad["metadata"]["generation"] = 2
    assert interpret_health(bad).status == "Degraded"


def test_a_deletion_tells_what_holds_it_up() -> None:
    obj = core(
        "Namespace",
        {},
        conditions(
            condition("NamespaceDeletionContentFailure", "False", "ContentDeleted", "all gone"),
            condition("NamespaceContentRemaining", "True", "SomeResourcesRemain", "3 pods"),
            phase="Terminating",
        ),
    )
    obj["metadata"]["deletionTimestamp"] = "2026-05-04T10:00:00Z"
    text = "deletion was requested at 2026-05-04T10:00:00Z; 3 pods"
    assert interpret_health(obj) == Health("Progressing", "Terminating", text)


@pytest.mark.parametrize("kind", [None, 5, ["Job"]], ids=repr)
def test_a_kind_of_a_wrong_type_is_passed_over(kind: Any) -> None:
    obj = {**job(conditions(condition("Failed", "True", "Late"))), "kind": kind}
    assert interpret_health(obj).status == "Degraded"


@pytest.mark.parametrize(
    "gvk",
    [GVK("batch", "v1", "Job"), GVK("autoscaling", "v2", "HorizontalPodAutoscaler")],
    ids=lambda gvk: gvk.kind,
)
def test_a_control_plane_is_not_told_to_act_on_them(gvk: GVK) -> None:
    assert not ResourceInterpreter(plugins=None).hook_enabled(gvk, Operation.INTERPRET_HEALTH)
