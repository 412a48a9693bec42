"""Where the bundled scripts of OpenKruise kinds differ from their recordings on purpose."""

from __future__ import annotations

import copy
from typing import Any

from compare import same
from recordings import Answer, Case, Rule


def _is(case: Case, operation: str, *kinds: str) -> bool:
    obj = case.input.get("desired") or case.input.get("observed") or {}
    return (
        case.operation == operation
        and str(obj.get("apiVersion")).startswith("apps.kruise.io/")
        and (not kinds or obj.get("kind") in kinds)
    )


def _without_empty(value: Any) -> Any:
    """What another rule allows to differ is left out: empty values that came in and stay."""
    if isinstance(value, dict):
        kept = {key: _without_empty(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, {}, [])}
    if isinstance(value, list):
        return [item for item in map(_without_empty, value) if item not in (None, {}, [])]
    return value


def _equal(wanted: Any, got: Any) -> bool:
    return same(_without_empty(wanted), _without_empty(got))


def _recorded(case: Case) -> Any:
    """The recorded object after aggregation, to be changed; None where that failed."""
    return copy.deepcopy(case.expect.get("aggregatedStatus"))


def _no_list(case: Case, _answer: Answer) -> bool:
    return (
        _is(case, "AggregateStatus", "SidecarSet")
        and case.failed
        and case.input.get("statusItems") is None
    )


def _no_pods(case: Case, answer: Answer) -> bool:
    counts = {"matchedPods": 0, "readyPods": 0, "updatedPods": 0}
    return same(case.input["desired"] | {"status": counts}, answer.get("aggregatedStatus"))


def _number_as_hash(case: Case, _answer: Answer) -> bool:
    status = (_recorded(case) or {}).get("status") or {}
    return _is(case, "AggregateStatus", "DaemonSet") and status.get("daemonSetHash") == 0


def _blank_as_hash(case: Case, answer: Answer) -> bool:
    wanted = _recorded(case)
    wanted["status"]["daemonSetHash"] = ""
    return _equal(wanted, answer.get("aggregatedStatus"))


def _finish(item: Any) -> str | None:
    """How a member's job ended: by its own condition."""
    ends = {
        condition.get("type")
        for condition in ((item or {}).get("status") or {}).get("conditions") or ()
        if condition.get("status") == "True"
    }
    return next((end for end in ("Failed", "Complete") if end in ends), None)


def _finish_carried(case: Case, _answer: Answer) -> bool:
    """Some member that has not finished stands behind one that has."""
    if not _is(case, "AggregateStatus", "BroadcastJob") or case.failed:
        return False
    ends = [_finish(item) for item in case.input.get("statusItems") or ()]
    return any(end and None in ends[place:] for place, end in enumerate(ends))


def _finish_own(case: Case, answer: Answer) -> bool:
    wanted = _recorded(case)
    items = case.input["statusItems"]
    failed = [item["clusterName"] for item in items if _finish(item) == "Failed"]
    wanted["status"].pop("conditions", None)
    if failed:
        message = f"Job executed failed in member clusters: {', '.join(failed)}"
        wanted["status"]["conditions"] = [
            {"type": "Failed", "status": "True", "reason": "JobFailed", "message": message}
        ]
    return _equal(wanted, answer.get("aggregatedStatus"))


def _ready_only(case: Case, _answer: Answer) -> bool:
    status = (case.input.get("observed") or {}).get("status") or {}
    return (
        _is(case, "InterpretHealth", "UnitedDeployment")
        and not case.expect.get("healthy")
        and status.get("availableReplicas") is None
        and "spec" in case.input["observed"]
    )


def _ready_counts(case: Case, answer: Answer) -> bool:
    obj = case.input["observed"]
    status, spec = obj.get("status") or {}, obj["spec"] or {}
    updated = status.get("updatedReplicas")
    healthy = (
        updated is not None
        and (status.get("observedGeneration") or 0) == _generation(obj)
        and updated >= (spec.get("replicas") or 0)
        and (status.get("readyReplicas") or 0) >= updated
    )
    return answer == {"healthy": healthy}


def _generation(obj: dict[str, Any]) -> int:
    return (obj.get("metadata") or {}).get("generation") or 0


def _health_failed(case: Case, _answer: Answer) -> bool:
    return _is(case, "InterpretHealth") and case.failed


def _not_healthy(case: Case, answer: Answer) -> bool:
    """Only a DaemonSet leaves out counters that are zero."""
    obj = case.input["observed"]
    status = obj.get("status")
    healthy = False
    if _is(case, "InterpretHealth", "DaemonSet") and status is not None:
        wanted, updated, available = (
            status.get(field) or 0
            for field in ("desiredNumberScheduled", "updatedNumberScheduled", "numberAvailable")
        )
        current = (status.get("observedGeneration") or 0) == _generation(obj)
        healthy = updated >= wanted and available >= updated and current
    return answer == {"healthy": healthy}


def _count_missing(case: Case, _answer: Answer) -> bool:
    spec = (case.input.get("desired") or {}).get("spec") or {}
    return _is(case, "InterpretReplica") and case.failed and spec.get("replicas") is None


def _retention_failed(case: Case, _answer: Answer) -> bool:
    return _is(case, "Retain", "BroadcastJob") and case.failed


def _labels_retained(case: Case, answer: Answer) -> bool:
    """The member's labels are there, and nothing else of the desired object has changed."""
    template = (case.input["observed"].get("spec") or {}).get("template") or {}
    labels = (template.get("metadata") or {}).get("labels")
    wanted = copy.deepcopy(case.input["desired"])
    if labels is not None:
        inner = wanted
        for field in ("spec", "template", "metadata"):
            inner[field] = inner.get(field) or {}
            inner = inner[field]
        inner["labels"] = labels
    return _equal(wanted, answer.get("retained"))


RULES: tuple[Rule, ...] = (
    Rule(
        "no list of members is no failure",
        "the recorded script fails for a SidecarSet without any list; ours counts no pods",
        _no_list,
        _no_pods,
    ),
    Rule(
        "an unknown hash is a blank text",
        "the recorded program writes the number 0 into a text field, which an API server refuses",
        _number_as_hash,
        _blank_as_hash,
    ),
    Rule(
        "a member's job has finished when its own condition says so",
        "the recorded script never resets a variable: a member that still runs counts as finished"
        " when one before it has finished",
        _finish_carried,
        _finish_own,
    ),
    Rule(
        "a UnitedDeployment counts ready pods",
        "its status has no availableReplicas, by which the recorded script waits forever or fails",
        _ready_only,
        _ready_counts,
    ),
    Rule(
        "an object without what health compares is not healthy",
        "the recorded scripts fail on a missing status, spec or counter",
        _health_failed,
        _not_healthy,
    ),
    Rule(
        "a count that is not stated is one",
        "Kruise runs one pod then; the recorded scripts fail",
        _count_missing,
        lambda _case, answer: answer.get("replica") == 1,
    ),
    Rule(
        "labels of a job's pods are retained whatever is missing",
        "the recorded script fails on a template without metadata",
        _retention_failed,
        _labels_retained,
    ),
)
