"""The generic tier answers by conventions, whatever the kind."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpreter.api.results import HEALTH_STATUSES, Health
from interpreter.engines.generic import interpret_health
from interpreter.errors import InvalidObject
from interpreter.machinery.conditions import Condition, find_condition, read_conditions


def crontab(
    status: Any = None, *, spec: Any = None, generation: int | None = None, **metadata: Any
) -> dict[str, Any]:
    """A custom resource that nobody has rules for."""
    obj: dict[str, Any] = {
        "apiVersion": "stable.example.com/v1",
        "kind": "CronTab",
        "metadata": {"name": "reports", **metadata},
        "spec": {"image": "reports:1.4"} if spec is None else spec,
    }
    if generation is not None:
        obj["metadata"]["generation"] = generation
    if status is not None:
        obj["status"] = status
    return obj


def condition(kind: str, status: Any, reason: str = "", message: str = "", **more: Any) -> Any:
    return {"type": kind, "status": status, "reason": reason, "message": message, **more}


def conditions(*items: Any, **status: Any) -> dict[str, Any]:
    return {"conditions": list(items), **status}


READY = condition("Ready", "True", "AllGood", "everything runs")

# id, status, expected status, reason, message
CONDITION_CASES: list[tuple[str, dict[str, Any], str, str, str]] = [
    ("ready-is-healthy", conditions(READY), "Healthy", "AllGood", "everything runs"),
    (
        "not-ready-without-a-failure-is-on-its-way",
        conditions(condition("Ready", "False", "Creating", "pods are being made")),
        "Progressing",
        "Creating",
        "pods are being made",
    ),
    (
        "not-ready-by-a-failing-reason-is-degraded",
        conditions(condition("Ready", "False", "ReconcileError", "quota is used up")),
        "Degraded",
        "ReconcileError",
        "quota is used up",
    ),
    (
        "not-ready-by-a-failing-message-is-degraded",
        conditions(condition("Ready", "False", "Migrating", "unable to reach the database")),
        "Degraded",
        "Migrating",
        "unable to reach the database",
    ),
    (
        "an-unknown-truth-is-on-its-way-even-if-its-message-sounds-bad",
        conditions(condition("Ready", "Unknown", "Probing", "no failure so far")),
        "Progressing",
        "Probing",
        "no failure so far",
    ),
    (
        "a-truth-outside-the-convention-counts-as-unknown",
        conditions(condition("Available", "Mostly", "SomePodsNotReady")),
        "Progressing",
        "SomePodsNotReady",
        "",
    ),
    (
        "booleans-count-as-truths",
        conditions(condition("Ready", True, "Yes")),
        "Healthy",
        "Yes",
        "",
    ),
    (
        "without-a-reason-the-type-is-the-reason",
        conditions({"type": "Established", "status": "True"}),
        "Healthy",
        "Established",
        "",
    ),
    (
        "reconciling-beats-ready",
        conditions(READY, condition("Reconciling", "True", "NewSpec", "applying")),
        "Progressing",
        "NewSpec",
        "applying",
    ),
    (
        "stalled-beats-everything",
        conditions(
            READY,
            condition("Reconciling", "True", "Retrying"),
            condition("Stalled", "True", "GivenUp", "no more retries"),
        ),
        "Degraded",
        "GivenUp",
        "no more retries",
    ),
    (
        "a-fault-that-is-false-tells-nothing",
        conditions(condition("Degraded", "False", "Failed"), READY),
        "Healthy",
        "AllGood",
        "everything runs",
    ),
    (
        "the-last-word-of-a-type-is-its-polarity",
        conditions(condition("InstallPlanFailed", "True", "MissingRole", "no such role")),
        "Degraded",
        "MissingRole",
        "no such role",
    ),
    (
        "a-negating-first-word-makes-a-fault",
        conditions(condition("NotReady", "True", "Timeout")),
        "Degraded",
        "Timeout",
        "",
    ),
    (
        "ready-in-part-is-not-ready",
        conditions(condition("PartiallyReady", "True", "SomeNamespaces", "2 of 3 failed")),
        "Degraded",
        "SomeNamespaces",
        "2 of 3 failed",
    ),
    (
        "the-whole-is-more-than-a-part",
        conditions(condition("PartiallyReady", "True", "", "1 of 3 failed"), READY),
        "Healthy",
        "AllGood",
        "everything runs",
    ),
    (
        "a-part-is-not-waited-for-when-the-summary-is-true",
        conditions(condition("CronJobAvailable", "False", "NotUsed"), READY),
        "Healthy",
        "AllGood",
        "everything runs",
    ),
    (
        "a-part-that-failed-counts-although-the-summary-is-true",
        conditions(READY, condition("Synced", "False", "ReconcileError", "access denied")),
        "Degraded",
        "ReconcileError",
        "access denied",
    ),
    (
        "without-a-summary-every-part-is-waited-for",
        conditions(
            condition("PodsHealthy", "True", "Running"),
            condition("ReplicasReady", "False", "Starting", "1 of 2"),
        ),
        "Progressing",
        "Starting",
        "1 of 2",
    ),
    (
        "a-refusal-is-an-answer",
        conditions(condition("Accepted", "False", "NoMatchingParent", "no such listener")),
        "Degraded",
        "NoMatchingParent",
        "no such listener",
    ),
    (
        "a-pending-decision-is-on-its-way",
        conditions(condition("Accepted", "False", "Pending", "waiting for the controller")),
        "Progressing",
        "Pending",
        "waiting for the controller",
    ),
    (
        "names-that-are-not-accepted-are-a-refusal",
        conditions(
            condition("NamesAccepted", "False", "PluralConflict", "crontabs is taken"),
            condition("Established", "False", "Installing"),
        ),
        "Degraded",
        "PluralConflict",
        "crontabs is taken",
    ),
    (
        "a-finished-rollout-is-not-on-its-way",
        conditions(
            condition("Available", "True", "MinimumReplicasAvailable"),
            condition("Progressing", "True", "NewReplicaSetAvailable"),
        ),
        "Healthy",
        "MinimumReplicasAvailable",
        "",
    ),
    (
        "a-rollout-past-its-deadline-is-degraded",
        conditions(
            condition("Available", "True", "MinimumReplicasAvailable"),
            condition("Progressing", "False", "ProgressDeadlineExceeded", "timed out"),
        ),
        "Degraded",
        "ProgressDeadlineExceeded",
        "timed out",
    ),
    (
        "an-end-by-failure-is-degraded",
        conditions(condition("Complete", "True", "JobFailed", "exit code 3")),
        "Degraded",
        "JobFailed",
        "exit code 3",
    ),
    (
        "a-failing-reason-counts-for-a-type-nobody-knows",
        conditions(condition("AbleToScale", "False", "FailedGetScale", "no such target")),
        "Degraded",
        "FailedGetScale",
        "no such target",
    ),
    (
        "something-at-rest-is-not-on-its-way",
        conditions(READY, condition("Active", "False", "NoTraffic")),
        "Healthy",
        "AllGood",
        "everything runs",
    ),
    (
        "paused-is-suspended",
        conditions(READY, condition("Paused", "True", "PausedByUser", "by hand")),
        "Suspended",
        "PausedByUser",
        "by hand",
    ),
    (
        "a-pausing-reason-is-suspended",
        conditions(condition("Progressing", "Unknown", "RolloutPaused")),
        "Suspended",
        "RolloutPaused",
        "",
    ),
    (
        "types-with-a-domain-and-dashes-are-read",
        conditions(condition("example.com/statefulset-available", "True", "Enough")),
        "Healthy",
        "Enough",
        "",
    ),
    (
        "conditions-per-parent-count",
        {"parents": [{"conditions": [READY]}, {"conditions": [condition("Accepted", "False")]}]},
        "Degraded",
        "Accepted",
        "",
    ),
    (
        "an-empty-list-is-a-beginning",
        conditions(),
        "Progressing",
        "NoConditions",
        "no controller has reported a condition yet",
    ),
    (
        "an-empty-list-of-a-parent-is-a-beginning",
        {"parents": [{"conditions": []}]},
        "Progressing",
        "NoConditions",
        "no controller has reported a condition yet",
    ),
    (
        "a-fault-that-is-false-is-good-news-when-there-is-no-other",
        conditions(
            condition("ErrorOccurred", "False", "UpToDate", "no error"),
            condition("Sparkling", "True", "Bubbles"),
        ),
        "Healthy",
        "UpToDate",
        "no error",
    ),
    (
        "a-step-that-is-not-reached-is-on-its-way",
        conditions(condition("Sparkling", "True"), condition("Discoverable", "False", "NoAnswer")),
        "Progressing",
        "NoAnswer",
        "",
    ),
    (
        "steps-that-are-reached-are-good-news-when-there-is-no-other",
        conditions(condition("Advertised", "True", "Yes"), condition("Discoverable", "True")),
        "Healthy",
        "Yes",
        "",
    ),
    (
        "a-step-that-is-reached-tells-nothing-beside-what-nobody-knows",
        conditions(condition("Launched", "True", "Launched"), condition("Sparkling", "True")),
        "Unknown",
        "NoConvention",
        "the status follows no convention known here",
    ),
    (
        "a-step-that-is-not-known-leaves-it-unknown",
        conditions(condition("Advertised", "True"), condition("Discoverable", "Unknown", "NoDns")),
        "Unknown",
        "NoDns",
        "",
    ),
    (
        "a-playbook-that-runs-is-on-its-way",
        conditions(condition("Running", "True", "Running", "Running reconciliation")),
        "Progressing",
        "Running",
        "Running reconciliation",
    ),
    (
        "a-playbook-that-waits-for-its-next-run-is-healthy",
        conditions(condition("Running", "True", "Successful", "Awaiting next reconciliation")),
        "Healthy",
        "Successful",
        "Awaiting next reconciliation",
    ),
    (
        "a-playbook-that-failed",
        conditions(condition("Running", "False", "Failed", "no such role")),
        "Degraded",
        "Failed",
        "no such role",
    ),
    (
        "running-may-be-the-goal-or-the-work",
        conditions(condition("Running", "True", "PodsRunning", "3 pods")),
        "Healthy",
        "PodsRunning",
        "3 pods",
    ),
    (
        "conditions-nobody-knows-leave-it-unknown",
        conditions(condition("Sparkling", "True", "Bubbles")),
        "Unknown",
        "NoConvention",
        "the status follows no convention known here",
    ),
    (
        "messages-and-reasons-become-one-line",
        conditions(condition("Failed", "True", "Bad\nThing", "first\r\n\tsecond\u2028third")),
        "Degraded",
        "Bad Thing",
        "first second third",
    ),
]


@pytest.mark.parametrize(
    ("status", "want", "reason", "message"),
    [pytest.param(*case[1:], id=case[0]) for case in CONDITION_CASES],
)
def test_conditions_decide_by_type_truth_and_reason(
    status: dict[str, Any], want: str, reason: str, message: str
) -> None:
    assert interpret_health(crontab(status)) == Health(want, reason, message)  # type: ignore[arg-type]


STATE_CASES: list[tuple[str, Any, str, str, str]] = [
    ("running", {"phase": "Running"}, "Healthy", "Running", ""),
    ("bound", {"phase": "Bound"}, "Healthy", "Bound", ""),
    ("pending", {"phase": "Pending", "message": "no node"}, "Progressing", "Pending", "no node"),
    ("failed", {"phase": "Failed", "message": "a\nb"}, "Degraded", "Failed", "a b"),
    ("state-field", {"state": "ConfigError"}, "Degraded", "ConfigError", ""),
    ("words-joined", {"phase": "ImportInProgress"}, "Progressing", "ImportInProgress", ""),
    ("shouted", {"state": "CLUSTER_READY"}, "Healthy", "CLUSTER_READY", ""),
    ("not-found", {"state": "NotFound"}, "Missing", "NotFound", ""),
    ("not-yet", {"state": "DEPLOYED_NOT_READY"}, "Progressing", "DEPLOYED_NOT_READY", ""),
    ("non", {"state": "NonCompliant"}, "Degraded", "NonCompliant", ""),
    ("paused", {"state": "paused"}, "Suspended", "paused", ""),
    ("unknown", {"state": "Unknown"}, "Unknown", "Unknown", ""),
    ("colour", {"phase": "Ready", "health": "red"}, "Degraded", "red", ""),
    ("long-name", {"printableStatus": "Stopped"}, "Suspended", "Stopped", ""),
    ("one-level-down", {"lastRun": {"state": "Failed"}}, "Degraded", "Failed", ""),
    ("status-is-a-word", "Succeeded", "Healthy", "Succeeded", ""),
    (
        "prose-is-no-state",
        {"state": "tonight the moon will be ready"},
        "Unknown",
        "NoConvention",
        "the status follows no convention known here",
    ),
    (
        "prose-that-begins-with-a-failure",
        {"status": "ERROR, no such key in the store"},
        "Degraded",
        "ERROR, no such key in the store",
        "",
    ),
    (
        "prose-that-begins-with-what-goes-on",
        {"currentState": "Provisioning the private network of it"},
        "Progressing",
        "Provisioning the private network of it",
        "",
    ),
    ("warning", {"state": "Warning"}, "Degraded", "Warning", ""),
    (
        "once-for-each-member-in-a-list",
        {"members": [{"health": "Healthy"}, {"health": "Unhealthy"}]},
        "Degraded",
        "Unhealthy",
        "",
    ),
    (
        "once-for-each-member-by-name",
        {"sites": {"east": {"state": "Pending"}, "west": {"state": "Ready"}}},
        "Progressing",
        "Pending",
        "",
    ),
    (
        "the-past-of-a-state-is-no-state",
        {"history": [{"state": "Failed"}]},
        "Unknown",
        "NoConvention",
        "the status follows no convention known here",
    ),
    (
        "conditions-one-level-down",
        {"conditionedStatus": conditions(condition("Ready", "False", "Creating"))},
        "Progressing",
        "Creating",
        "",
    ),
    (
        "nodes-without-their-pods",
        {"desiredNumberScheduled": 4, "numberReady": 3},
        "Progressing",
        "PodsNotReady",
        "3 of 4 pods ready",
    ),
    (
        "seen-by-a-controller-that-says-no-more",
        {"observedGeneration": 3},
        "Healthy",
        "Observed",
        "the controller has seen it, and has no more to say",
    ),
    ("new", {"state": "New"}, "Progressing", "New", ""),
    ("a-refusal", {"state": "PolicyNotAllowed"}, "Degraded", "PolicyNotAllowed", ""),
    ("backing-off", {"printableStatus": "ImagePullBackOff"}, "Degraded", "ImagePullBackOff", ""),
    (
        "a-run-one-level-down-goes-on",
        {"result": {"started": "2026-05-04T10:00:00Z", "status": "running"}},
        "Progressing",
        "running",
        "",
    ),
    (
        "what-runs-one-level-down-without-an-end",
        {"broker": {"status": "running"}},
        "Healthy",
        "running",
        "",
    ),
    ("usable-flag", {"readyToUse": True}, "Healthy", "ReadyToUse", "status.readyToUse is true"),
    ("invalid-flag", {"valid": False}, "Degraded", "NotValid", "status.valid is false"),
    ("error-message", {"errMsg": "no route"}, "Degraded", "Error", "no route"),
    (
        "a-state-beside-conditions",
        {"phase": "Failed", "conditions": [READY]},
        "Degraded",
        "Failed",
        "",
    ),
    ("ready-flag", {"ready": True}, "Healthy", "Ready", "status.ready is true"),
    ("unready-flag", {"ready": False}, "Progressing", "NotReady", "status.ready is false"),
    ("unhealthy-flag", {"healthy": False}, "Degraded", "NotHealthy", "status.healthy is false"),
    (
        "error-field",
        {"ready": False, "error": {"message": "no such\nbucket"}},
        "Degraded",
        "Error",
        "no such bucket",
    ),
    (
        "replicas-missing",
        {"replicas": 3, "readyReplicas": 1},
        "Progressing",
        "ReplicasNotReady",
        "1 of 3 replicas ready",
    ),
    (
        "replicas-there",
        {"replicas": 3, "availableReplicas": 3},
        "Healthy",
        "ReplicasReady",
        "3 of 3 replicas available",
    ),
    (
        "a-run-that-goes-on",
        {"startTime": "2026-05-04T10:00:00Z"},
        "Progressing",
        "Started",
        "started at 2026-05-04T10:00:00Z, not ended yet",
    ),
]


@pytest.mark.parametrize(
    ("status", "want", "reason", "message"),
    [pytest.param(*case[1:], id=case[0]) for case in STATE_CASES],
)
def test_states_flags_and_counts_decide_without_conditions(
    status: Any, want: str, reason: str, message: str
) -> None:
    assert interpret_health(crontab(status)) == Health(want, reason, message)  # type: ignore[arg-type]


def test_deletion_comes_before_everything() -> None:
    obj = crontab(conditions(READY), deletionTimestamp="2026-05-04T10:00:00Z")
    want = Health("Progressing", "Terminating", "deletion was requested at 2026-05-04T10:00:00Z")
    assert interpret_health(obj) == want
    assert not want.healthy


STALE = Health("Progressing", "StaleGeneration", "the controller has seen generation 2 of 3")


@pytest.mark.parametrize(
    ("status", "want"),
    [
        pytest.param(conditions(READY, observedGeneration=2), STALE, id="the-status-is-behind"),
        pytest.param(
            conditions(condition("Ready", "True", observedGeneration=2)),
            STALE,
            id="the-deciding-condition-is-behind",
        ),
        pytest.param(
            conditions(condition("Ready", "False", "SyncError", observedGeneration=2)),
            STALE,
            id="a-condition-that-is-behind-may-be-about-an-error-of-the-past",
        ),
        pytest.param(
            conditions(condition("Bubbly", "True", observedGeneration=2), READY),
            Health("Healthy", "AllGood", "everything runs"),
            id="a-condition-that-tells-nothing-may-be-behind",
        ),
        pytest.param(
            conditions(condition("Failed", "True", "Crash", "boom"), observedGeneration=2),
            Health("Degraded", "Crash", "boom"),
            id="a-status-that-is-behind-and-failed-is-failed",
        ),
        pytest.param(
            conditions(READY, observedGeneration=3),
            Health("Healthy", "AllGood", "everything runs"),
            id="up-to-date",
        ),
        pytest.param(
            conditions(READY, observedGeneration="58b949649c"),
            Health("Healthy", "AllGood", "everything runs"),
            id="a-hash-is-no-generation",
        ),
        pytest.param(
            conditions(READY, observedGeneration=-1),
            Health("Healthy", "AllGood", "everything runs"),
            id="minus-one-is-no-generation",
        ),
    ],
)
def test_an_older_generation_has_not_been_looked_at(status: Any, want: Health) -> None:
    assert interpret_health(crontab(status, generation=3)) == want


@pytest.mark.parametrize("field", ["suspend", "suspended", "paused"])
def test_a_pause_in_the_spec_is_suspended_unless_something_failed(field: str) -> None:
    want = Health("Suspended", "Suspended", f"spec.{field} is true")
    assert want.healthy
    assert interpret_health(crontab(spec={field: True})) == want
    assert interpret_health(crontab(conditions(READY), spec={field: True})) == want
    failed = conditions(condition("Failed", "True", "Crash"))
    assert interpret_health(crontab(failed, spec={field: True})).status == "Degraded"
    assert interpret_health(crontab(conditions(READY), spec={field: "true"})).status == "Healthy"


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        pytest.param({"strategy": {"paused": True}}, "spec.strategy.paused", id="strategy"),
        pytest.param(
            {"updateStrategy": {"paused": True}}, "spec.updateStrategy.paused", id="update"
        ),
        pytest.param(
            {"updateStrategy": {"rollingUpdate": {"paused": True}}},
            "spec.updateStrategy.rollingUpdate.paused",
            id="rolling-update",
        ),
    ],
)
def test_a_paused_rollout_is_suspended(spec: Any, path: str) -> None:
    want = Health("Suspended", "Suspended", f"{path} is true")
    assert interpret_health(crontab(conditions(READY), spec=spec)) == want


def test_an_annotation_can_pause() -> None:
    paused = crontab(conditions(READY), annotations={"example.com/paused": "true"})
    want = Health("Suspended", "Suspended", "annotation example.com/paused is true")
    assert interpret_health(paused) == want
    running = crontab(conditions(READY), annotations={"example.com/paused": "false"})
    assert interpret_health(running).status == "Healthy"


NO_STATUS_YET = Health("Progressing", "NoStatus", "no controller has reported a status yet")
PLAIN_DATA = Health("Healthy", "PlainData", "nothing to wait for: the kind reports no status")


@pytest.mark.parametrize(
    ("obj", "want"),
    [
        pytest.param(crontab(), NO_STATUS_YET, id="a-spec-waits-for-a-report"),
        pytest.param(crontab({}), NO_STATUS_YET, id="an-empty-status-is-none"),
        pytest.param(crontab({"size": 0, "uid": ""}), NO_STATUS_YET, id="zero-values-tell-nothing"),
        pytest.param(crontab(uid="c0ffee"), NO_STATUS_YET, id="a-stored-custom-resource-waits-too"),
        pytest.param(
            {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}},
            PLAIN_DATA,
            id="data-of-the-core-group",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "shop"}},
            PLAIN_DATA,
            id="a-core-object-of-metadata-alone",
        ),
        pytest.param(
            {"apiVersion": "rules.example.com/v1", "kind": "RuleSet", "rules": []},
            PLAIN_DATA,
            id="data-of-a-foreign-group",
        ),
        pytest.param(
            {"apiVersion": "stable.example.com/v1", "kind": "Trigger", "metadata": {"name": "go"}},
            NO_STATUS_YET,
            id="a-foreign-object-of-metadata-alone",
        ),
        pytest.param(
            {
                "apiVersion": "networking.k8s.io/v1",
                "kind": "NetworkPolicy",
                "metadata": {"uid": "c0ffee"},
                "spec": {"podSelector": {}},
            },
            PLAIN_DATA,
            id="a-stored-built-in-without-status-has-none",
        ),
        pytest.param(
            {"apiVersion": "apps/v1", "kind": "ReplicaSet", "spec": {"replicas": 1}},
            NO_STATUS_YET,
            id="a-built-in-from-a-file-is-not-stored-yet",
        ),
        pytest.param(
            crontab(spec={"schedule": "*/5 * * * *"}),
            Health("Healthy", "Scheduled", "waits for its schedule */5 * * * *"),
            id="a-schedule-waits-for-the-clock",
        ),
    ],
)
def test_an_object_without_status_is_data_or_waits_for_a_report(obj: Any, want: Health) -> None:
    assert interpret_health(obj) == want


@pytest.mark.parametrize(
    "status",
    [
        pytest.param({"conditions": "none", "phase": {"a": 1}}, id="words-in-other-places"),
        pytest.param({"conditions": {"Ready": True}}, id="conditions-as-a-map"),
        pytest.param({"conditions": [None, 3, "Ready", {"status": "True"}]}, id="no-conditions"),
        pytest.param({"conditions": [{"type": ["Ready"], "status": "True"}]}, id="no-type"),
        pytest.param({"replicas": 10**5000, "readyReplicas": 1}, id="counts-beyond-int32"),
        pytest.param({"replicas": True, "readyReplicas": 1.5}, id="counts-of-other-types"),
        pytest.param([1], id="a-list"),
        pytest.param(7, id="a-number"),
    ],
)
def test_a_status_of_foreign_shape_is_unknown_and_no_error(status: Any) -> None:
    assert interpret_health(crontab(status)).reason == "NoConvention"


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        pytest.param({"metadata": "x"}, "metadata", id="metadata"),
        pytest.param({"metadata": {"generation": "3"}}, "metadata.generation", id="generation"),
        pytest.param(
            {"metadata": {"generation": 10**5000}}, "metadata.generation", id="huge-generation"
        ),
        pytest.param(
            {"metadata": {"deletionTimestamp": 5}}, "metadata.deletionTimestamp", id="deletion"
        ),
        pytest.param({"apiVersion": 1, "spec": {}}, "apiVersion", id="api-version"),
        pytest.param(["not", "an", "object"], None, id="object"),
    ],
)
def test_a_wrong_type_in_what_all_kinds_share_names_its_path(obj: Any, path: str | None) -> None:
    with pytest.raises(InvalidObject) as caught:
        interpret_health(obj)
    assert caught.value.path == path


REAL = {
    "apiVersion": "stable.example.com/v1",
    "kind": "CronTab",
    "metadata": {"name": "reports", "generation": 3, "uid": "c0ffee"},
    "spec": {"replicas": 2, "paused": False, "schedule": "@daily"},
    "status": {
        "observedGeneration": 3,
        "phase": "Running",
        "replicas": 2,
        "readyReplicas": 2,
        "ready": True,
        "error": {"message": ""},
        "startTime": "2026-05-04T10:00:00Z",
        "lastRun": {"state": "Succeeded"},
        "conditions": [{**READY, "observedGeneration": 3}],
        "parents": [{"conditions": [READY]}],
    },
}
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**400)])
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["True", "Ready", "Not Found", "Failed", "Progressing\n", "not"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "status", "conditions", "phase", "message", "replicas", ""]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


#: A busy machine is no failure of the code under test.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    return [path, *(found for key, item in items for found in paths_of(item, (*path, key)))]


def answer(obj: Any) -> Health | InvalidObject:
    """The answer; an error that the operation documents is one, any other fails the test."""
    try:
        return interpret_health(obj)
    except InvalidObject as error:
        return error


@unhurried
@given(path=st.sampled_from(paths_of(REAL)), value=JSON)
def test_any_value_in_any_place_gives_an_answer_or_a_named_error(path: Any, value: Any) -> None:
    root = {"": copy.deepcopy(REAL)}
    parent: Any = root
    for key in ("", *path)[:-1]:
        parent = parent[key]
    parent[("", *path)[-1]] = value
    got = answer(root[""])
    if isinstance(got, InvalidObject):
        assert str(got)
    else:
        assert got.status in HEALTH_STATUSES
        assert got.healthy == (got.status in ("Healthy", "Suspended"))
        assert len(got.reason.splitlines()) <= 1
        assert len(got.message.splitlines()) <= 1


@unhurried
@given(obj=st.dictionaries(st.sampled_from(list(REAL)), JSON))
def test_any_object_gives_an_answer_or_a_named_error(obj: Any) -> None:
    got = answer(obj)
    assert got.path if isinstance(got, InvalidObject) else got.status in HEALTH_STATUSES


def test_the_object_is_not_changed() -> None:
    obj = copy.deepcopy(REAL)
    interpret_health(obj)
    assert obj == REAL


def test_every_status_is_reached() -> None:
    reached = {want for _, _, want, _, _ in CONDITION_CASES + STATE_CASES}
    assert reached == set(HEALTH_STATUSES)


def test_of_conditions_of_one_type_the_first_is_found() -> None:
    found = read_conditions(
        [
            condition("Ready", "true", "First", "on\ntwo lines", observedGeneration=4),
            condition("Ready", "False", "Second", observedGeneration=10**5000),
        ]
    )
    assert find_condition(found, "Ready") == Condition("Ready", "True", "First", "on two lines", 4)
    assert found[1] == Condition("Ready", "False", "Second", "", None)
    assert find_condition(found, "Synced") is None
