"""Recordings of filters, scores, estimators, selection and whole scheduling passes."""

from __future__ import annotations

from typing import Any

import numpy as np
from compare import same
from recordings import Answer, Case, Rule
from scheduler_machinery import agrees, explaining

from interpreter.errors import NoClusterFit, SchedulingError, Unschedulable
from interpreter.machinery import quantity
from interpreter.scheduler.estimator import max_replicas, max_sets, read_room
from interpreter.scheduler.filters import rejections_of, view_of
from interpreter.scheduler.fleet import Fleet
from interpreter.scheduler.requests import WORKLOAD_AFFINITY, Reader
from interpreter.scheduler.scheduler import Assumed, Scheduler, ranked
from interpreter.scheduler.selection import groups_of, select
from interpreter.scheduler.workloads import Workloads

_INT32 = 2**31


def binding_of(given: dict[str, Any]) -> dict[str, Any]:
    """The binding of a case."""
    return {"spec": given["spec"], "status": given.get("status") or {}}


# --- Filters and scores --------------------------------------------------------------------------


def run_filter(case: Case) -> Answer:
    """What one filter says about one cluster, or its score."""
    given = case.input
    fleet = Fleet([given["cluster"]])
    binding = binding_of(given)
    scheduler = Scheduler(fleet)
    request = Reader({WORKLOAD_AFFINITY: True}).read(binding)
    if case.operation == "score":
        if given["plugin"] == "ClusterAffinity":
            return {"code": "Success", "score": 0}
        view = view_of(fleet.topology, request)
        everybody = np.arange(1, dtype=np.intp)
        (score,) = scheduler.candidates(request, view, everybody).scores
        return {"code": "Success", "score": score}
    workloads = Workloads(given.get("existingBindings"), given.get("assigningBindings") or ())
    in_use = given["cluster"]["metadata"]["name"] in dict(request.previous)
    for reason, mask, spares in rejections_of(
        given["plugin"], fleet.topology, request, workloads
    ):
        if mask[0] and not (spares and in_use):
            return {"code": "Unschedulable", "reasons": [reason]}
    return {"code": "Success", "reasons": []}


# --- Estimators ----------------------------------------------------------------------------------


def run_estimator(case: Case) -> Answer:
    """Replicas or sets that a cluster takes."""
    given = case.input
    gates = given.get("featureGates") or {}
    room = read_room(
        given["cluster"], models=gates.get("CustomizedClusterResourceModeling", True)
    )
    assumed = given.get("assumedWorkloads") or ()
    protect = gates.get("SchedulingOvercommitProtection", False)
    if case.operation == "MaxAvailableReplicas":
        needs = given.get("replicaRequirements")
        return {"replicas": max_replicas(room, needs, assumed, protect=protect)}
    return {"sets": max_sets(room, given["components"] or (), assumed, protect=protect)}


def _wraps(case: Case, answer: Answer) -> bool:
    (count,) = answer.values()
    return bool(count >= _INT32)


def _is_cut(case: Case, answer: Answer) -> bool:
    (count,), (recorded,) = answer.values(), case.expect.values()
    return bool((count + _INT32) % (2 * _INT32) - _INT32 == recorded)


def _amounts(value: Any, name: str) -> set[str]:
    """Formats of a resource's amounts, wherever they stand in a case."""
    found: set[str] = set()
    if isinstance(value, dict):
        for key, item in value.items():
            if key == name and isinstance(item, (str, int)):
                parsed = quantity.parse_json(item)
                found |= {"binary" if parsed.format == "BinarySI" else "decimal"}
            else:
                found |= _amounts(item, name)
    elif isinstance(value, list):
        for item in value:
            found |= _amounts(item, name)
    return found


def _mixed(case: Case) -> set[str]:
    summary = case.input["cluster"].get("status", {}).get("resourceSummary") or {}
    names = {name for field in summary.values() if isinstance(field, dict) for name in field}
    return {name for name in names if len(_amounts(case.input, name)) > 1}


def _mixes_formats(case: Case, answer: Answer) -> bool:
    return case.operation == "MaxAvailableComponentSets" and bool(_mixed(case))


def _in_one_format(case: Case, answer: Answer) -> bool:
    """Whether the sets fit by exact amounts, and one more would not, as far as those bind."""
    given = case.input
    summary = given["cluster"]["status"]["resourceSummary"]
    sets = answer["sets"]
    protect = (given.get("featureGates") or {}).get("SchedulingOvercommitProtection", False)
    limits = [sets]
    for name in _mixed(case):
        free = _exact(summary.get("allocatable"), name)
        free -= _exact(summary.get("allocated"), name) + _exact(summary.get("allocating"), name)
        if protect:
            for workload in given.get("assumedWorkloads") or ():
                free -= _needed(workload["components"], name)
        needed = _needed(given["components"], name)
        if needed > 0:
            limits.append(max(0, free // needed))
    recorded = case.expect["sets"]
    smallest = min(limits[1:], default=sets)
    # What is mixed bounds ours; where it does not bind, ours is what else bounded the recorded one.
    return sets <= smallest and (sets == smallest or sets >= min(recorded, smallest))


def _exact(amounts: dict[str, Any] | None, name: str) -> int:
    return quantity.parse_json((amounts or {}).get(name)).rounded(-3)


def _needed(components: list[dict[str, Any]], name: str) -> int:
    return sum(
        component.get("replicas", 0)
        * _exact((component.get("replicaRequirements") or {}).get("resourceRequest"), name)
        for component in components
    )


# --- Selection -----------------------------------------------------------------------------------


def run_select(case: Case) -> Answer:
    """Order, groups and selection for given scores and capacities."""
    given = case.input
    fleet = Fleet(given["clusters"])
    request = Reader().read(binding_of(given))
    topology, placement = fleet.topology, request.placement
    before = dict(request.previous)
    allocatable = np.array([given["allocatable"][name] for name in topology.names], dtype=np.int64)
    assigned = np.array([before.get(name, 0) for name in topology.names], dtype=np.int64)
    candidates = ranked(
        topology,
        np.arange(len(topology), dtype=np.intp),
        np.array([given["scores"][name] for name in topology.names], dtype=np.int64),
        view_of(topology, request).tiers,
        (allocatable, allocatable + assigned),
    )
    needed = given.get("needReplicas", request.replicas)
    answer: Answer = {
        "clusters": [
            {
                "name": candidates.names[position],
                "score": candidates.scores[position],
                "overflowOrder": candidates.tiers[position],
                "availableReplicas": candidates.available[position],
                "allocatableReplicas": candidates.allocatable[position],
            }
            for position in range(len(candidates))
        ]
    }
    fields = {"regions": "region", "zones": "zone", "providers": "provider"}
    answer["groups"] = {
        plural: {
            group.name: {
                "score": group.score,
                "availableReplicas": group.available,
                "clusters": [candidates.names[position] for position in group.members],
            }
            for group in groups_of(field, topology, candidates, placement, needed).values()
        }
        for plural, field in fields.items()
        if placement.spreads and placement.constraint(field) is not None
    }
    try:
        answer["selected"] = select(topology, candidates, placement, needed).names
    except SchedulingError as error:
        answer["error"] = error.message
    return answer


# --- Whole passes --------------------------------------------------------------------------------


def error_kind(error: SchedulingError) -> str:
    """The kind of an error in recordings."""
    if isinstance(error, NoClusterFit):
        return "FitError"
    return "UnschedulableError" if isinstance(error, Unschedulable) else "Other"


def shown_error(error: SchedulingError) -> Answer:
    """An error in the shape of recordings."""
    return {"kind": error_kind(error), "message": error.message}


def shown_clusters(targets: Any) -> list[Answer]:
    """A schedule in the shape of recordings: replicas are always written."""
    return [{"replicas": target.replicas, **target.to_dict()} for target in targets]


def run_schedule(case: Case) -> Answer:
    """One scheduling pass."""
    given = case.input
    scheduler = Scheduler(
        Fleet(given["clusters"]),
        feature_gates=given.get("featureGates") or {},
        empty_workloads=given["enableEmptyWorkloadPropagation"],
    )
    workloads = Workloads(given.get("existingBindings"), given.get("assigningBindings") or ())
    assumed = [
        Assumed(entry["cluster"], entry["components"])
        for entry in given.get("assumedWorkloads") or ()
    ]
    try:
        targets = scheduler.schedule(binding_of(given), workloads=workloads, assumed=assumed)
    except SchedulingError as error:
        return {"error": shown_error(error)}
    return {"clusters": shown_clusters(targets)}


def same_error(wanted: Any, got: Any) -> bool:
    """Equality of errors; any of several texts will do where plugins run in random order."""
    if wanted is None or got is None:
        return wanted is got
    texts = wanted.get("messages") or [wanted["message"]]
    return wanted["kind"] == got["kind"] and got["message"] in texts


def _agrees_schedule(case: Case, answer: Answer) -> bool:
    if "error" in case.expect or "error" in answer:
        return same_error(case.expect.get("error"), answer.get("error"))
    return same(case.expect["clusters"], answer["clusters"])


def _stable(case: Case, answer: Answer) -> bool:
    return "order_sensitive" in case.tags


def _is_stable(case: Case, answer: Answer) -> bool:
    if "stableSortError" in case.expect:
        return same_error(case.expect["stableSortError"], answer.get("error"))
    return same(case.expect["stableSortClusters"], answer.get("clusters"))


def _sums_wrap(case: Case, answer: Answer) -> bool:
    """Whether the recorded program lost count: no cluster can take a negative number."""
    error = case.expect.get("error")
    return (error is not None and "replicas -" in error["message"]) or "extreme" in case.tags


def _nothing_lost(case: Case, answer: Answer) -> bool:
    targets = answer.get("clusters", [])
    return "error" not in answer and sum(target["replicas"] for target in targets) == (
        case.input["spec"].get("replicas", 0)
    )


FILTER = (run_filter, agrees, explaining())
ESTIMATOR = (
    run_estimator,
    agrees,
    explaining(
        Rule(
            "counts beyond 32 bits",
            "a count is exact; the recorded program cuts it to 32 bits",
            _wraps,
            _is_cut,
        ),
        Rule(
            "amounts of different formats",
            "amounts of component sets are compared by value; the recorded program compares "
            "thousandths of decimal amounts with whole units of binary ones",
            _mixes_formats,
            _in_one_format,
        ),
    ),
)
SELECT = (run_select, agrees, explaining())
SCHEDULE = (
    run_schedule,
    _agrees_schedule,
    explaining(
        Rule(
            "sums beyond 32 bits",
            "sums of capacities are exact; the recorded program wraps around and refuses",
            _sums_wrap,
            _nothing_lost,
        ),
        Rule(
            "stable sort",
            "clusters of equal capacity stay in the order of selection",
            _stable,
            _is_stable,
        ),
    ),
)
