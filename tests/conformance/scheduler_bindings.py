"""Recordings of the loop over affinity terms, and of the decision to schedule at all."""

from __future__ import annotations

import json
from typing import Any

from compare import same
from recordings import Answer, Case, Rule
from scheduler_machinery import explaining
from scheduler_passes import same_error, shown_clusters, shown_error

from interpreter.scheduler import Fleet, Outcome, Scheduler, apply, reconcile, schedule_binding
from interpreter.scheduler.triggers import APPLIED_PLACEMENT, normal

_NOW = "2030-01-01T00:00:00Z"


def _scheduler(case: Case) -> tuple[Scheduler, dict[str, Any]]:
    given = case.input
    scheduler = Scheduler(
        Fleet(given["clusters"]), empty_workloads=given["enableEmptyWorkloadPropagation"]
    )
    return scheduler, {**given["binding"], "kind": given["kind"]}


def run_affinities(case: Case) -> Answer:
    """Schedules the binding whether it has to be or not."""
    scheduler, binding = _scheduler(case)
    return _shown(binding, schedule_binding(scheduler, binding))


def run_reconcile(case: Case) -> Answer:
    """Schedules the binding if it has to be."""
    scheduler, binding = _scheduler(case)
    outcome = reconcile(scheduler, binding)
    return {**_shown(binding, outcome), "trigger": str(outcome.trigger)}


def _shown(binding: dict[str, Any], outcome: Outcome) -> Answer:
    after = apply(binding, outcome, now=_NOW)
    status = after.get("status", {})
    annotation = after["metadata"].get("annotations", {}).get(APPLIED_PLACEMENT)
    conditions = [entry for entry in status.get("conditions", ()) if entry["type"] == "Scheduled"]
    shown: Answer = {
        "attempts": [
            {"affinityName": entry.affinity, "error": shown_error(entry.error)}
            if entry.error
            else {"affinityName": entry.affinity, "clusters": shown_clusters(entry.targets)}
            for entry in outcome.tries
        ],
        "clusters": [{"replicas": 0, **entry} for entry in after["spec"].get("clusters", ())],
        "schedulerObservingAffinityName": status.get("schedulerObservingAffinityName", ""),
        "schedulerObservedGeneration": status.get("schedulerObservedGeneration", 0),
        "lastScheduledTimeUpdated": status.get("lastScheduledTime") == _NOW,
        "condition": None,
        "appliedPlacementUpdated": annotation
        != binding["metadata"].get("annotations", {}).get(APPLIED_PLACEMENT),
        "returnedError": shown_error(outcome.error) if outcome.error else None,
        "events": [" ".join(event) for event in outcome.events],
    }
    for condition in conditions:
        condition.pop("lastTransitionTime")
        shown["condition"] = condition
    if annotation and "placement" in after["spec"]:
        try:
            applied = json.loads(annotation)
        except ValueError:
            applied = None
        shown["appliedPlacementMatchesSpec"] = same(
            normal(applied), normal(after["spec"]["placement"])
        )
    return shown


def agrees(case: Case, answer: Answer) -> bool:
    """Equality of all fields; any of several texts will do where plugins run in random order."""
    return not _differing(case, answer)


def _differing(case: Case, answer: Answer) -> set[str]:
    return {
        field
        for field, wanted in case.expect.items()
        if field not in answer or not _same_field(case, field, wanted, answer[field])
    }


def _same_field(case: Case, field: str, wanted: Any, got: Any) -> bool:
    if field == "condition" and wanted is not None and got is not None:
        texts = wanted.get("messages") or [wanted["message"]]
        rest = {key: value for key, value in wanted.items() if key not in ("message", "messages")}
        return got["message"] in texts and all(got.get(key) == rest[key] for key in rest)
    if field == "returnedError":
        return same_error(wanted, got)
    if field == "attempts":
        return len(wanted) == len(got) and all(
            entry["affinityName"] == other["affinityName"]
            and same_error(entry.get("error"), other.get("error"))
            and same(entry.get("clusters"), other.get("clusters"))
            for entry, other in zip(wanted, got, strict=True)
        )
    if field == "events":
        return len(wanted or ()) == len(got) and all(
            _same_event(case, *pair) for pair in zip(wanted or (), got, strict=True)
        )
    return same(wanted, got)


def _same_event(case: Case, wanted: str, got: str) -> bool:
    """Equality of events, up to the alternatives of the errors in them."""
    for attempt in case.expect["attempts"]:
        error = attempt.get("error") or {}
        for text in error.get("messages", ()):
            got = got.replace(text, error["message"])
            wanted = wanted.replace(text, error["message"])
    return wanted == got


def _explicitly_empty(case: Case, answer: Answer) -> bool:
    return _has_empty_list(case.input["binding"]["spec"].get("placement"))


def _has_empty_list(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_empty_list(item) for item in value.values())
    return isinstance(value, list) and (not value or any(map(_has_empty_list, value)))


def _as_without(run: Any) -> Any:
    """Whether the answer is that for the placement without its empty lists."""

    def holds(case: Case, answer: Answer) -> bool:
        binding = case.input["binding"]
        placement = normal(binding["spec"]["placement"])
        spec = {**binding["spec"], "placement": placement}
        other = Case(
            case.id,
            case.operation,
            {**case.input, "binding": {**binding, "spec": spec}},
            case.expect,
        )
        return bool(run(other) == answer)

    return holds


def _sums_wrap(case: Case, answer: Answer) -> bool:
    """Whether the recorded program lost count: no cluster can take a negative number."""
    errors = [attempt.get("error") or {} for attempt in case.expect["attempts"]]
    return any("replicas -" in error.get("message", "") for error in errors)


def _nothing_lost(case: Case, answer: Answer) -> bool:
    last = answer["attempts"][-1]
    return "clusters" in last and sum(target["replicas"] for target in last["clusters"]) == (
        case.input["binding"]["spec"].get("replicas", 0)
    )


def _rules(run: Any) -> Any:
    return explaining(
        Rule(
            "sums beyond 32 bits",
            "sums of capacities are exact; the recorded program wraps around and refuses",
            _sums_wrap,
            _nothing_lost,
        ),
        Rule(
            "explicitly empty",
            "an empty list in a placement says what its absence says, and is no change",
            _explicitly_empty,
            _as_without(run),
        ),
    )


AFFINITIES = (run_affinities, agrees, _rules(run_affinities))
RECONCILE = (run_reconcile, agrees, _rules(run_reconcile))
