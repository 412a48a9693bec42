"""Recordings of filters, scores, estimators, selection and whole scheduling passes."""

from __future__ import annotations

from dataclasses import replace
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
    for reason, mask, spares in rejections_of(given["plugin"], fleet.topology, request, workloads):
        if mask[0] and not (spares and in_use):
            return {"code": "Unschedulable", "reasons": [reason]}
    return {"code": "Success", "reasons": []}


# --- Estimators ----------------------------------------------------------------------------------


def run_estimator(case: Case) -> Answer:
    """Replicas or sets that a cluster takes."""
    given = case.input
    gates = given.get("featureGates") or {}
    room = read_room(given["cluster"], models=gates.get("CustomizedClusterResourceModeling", True))
    assumed = given.get("assumedWorkloads") or ()
    protect = gates.get("SchedulingOvercommitProtection", False)
    if case.operation == "MaxAvailableReplicas":
        needs = given.get("replicaRequirements")
        return {"replicas": max_replicas(room, needs, assumed, protect=protect)}
    return {"sets": max_sets(room, given["components"] or (), assumed, protect=protect)}


def _wraps(case: Case, answer: Answer) -> bool:
    """Whether a count is beyond 32 bits, or the recorded one fell below nothing on its way."""
    (count,), (recorded,) = answer.values(), case.expect.values()
    return bool(count >= _INT32 or recorded < 0)


def _is_exact(case: Case, answer: Answer) -> bool:
    (count,), (recorded,) = answer.values(), case.expect.values()
    if (count + _INT32) % (2 * _INT32) - _INT32 == recorded:
        return True
    return case.operation == "MaxAvailableComponentSets" and _compared_by_value(case, answer)


def _formats(value: Any, name: str) -> set[str]:
    """Formats of a resource's amounts, wherever they stand."""
    found: set[str] = set()
    if isinstance(value, dict):
        for key, item in value.items():
            if key == name and isinstance(item, (str, int)):
                binary = quantity.parse_json(item).format == "BinarySI"
                found.add("binary" if binary else "decimal")
            else:
                found |= _formats(item, name)
    elif isinstance(value, list):
        for item in value:
            found |= _formats(item, name)
    return found


def _mixed(given: Any, cluster: Any) -> set[str]:
    """Resources of a cluster of which a case has amounts in both formats."""
    summary = cluster.get("status", {}).get("resourceSummary") or {}
    names = {name for amounts in summary.values() if isinstance(amounts, dict) for name in amounts}
    return {name for name in names if len(_formats(given, name)) > 1}


def _respelled(given: Any, names: set[str]) -> Any:
    """The same input, all amounts of some resources in one format."""
    if isinstance(given, list):
        return [_respelled(item, names) for item in given]
    if not isinstance(given, dict):
        return given
    return {
        key: str(-(-_thousandths(quantity.parse_json(item)) // 1000))
        if key in names and isinstance(item, str) and quantity.parse(item).format == "BinarySI"
        else _respelled(item, names)
        for key, item in given.items()
    }


def _as_respelled(case: Case, answer: Answer, names: set[str], run: Any) -> bool:
    """Whether the answer is that for the same amounts in one format."""
    return bool(run(replace(case, input=_respelled(case.input, names))) == answer)


def _mixes_formats(case: Case, answer: Answer) -> bool:
    return case.operation == "MaxAvailableComponentSets" and bool(
        _mixed(case.input, case.input["cluster"])
    )


def _compared_by_value(case: Case, answer: Answer) -> bool:
    """Whether the sets are those that fit by exact amounts, or fewer for want of nodes."""
    given = case.input
    protect = (given.get("featureGates") or {}).get("SchedulingOvercommitProtection", False)
    assumed = given.get("assumedWorkloads") or () if protect else ()
    most = _exact_sets(given["cluster"], given["components"], assumed)
    models = given["cluster"].get("spec", {}).get("resourceModels")
    if not (answer["sets"] <= most if models else answer["sets"] == most):
        return False
    return _as_respelled(case, answer, _mixed(given, given["cluster"]), run_estimator)


def _exact_sets(cluster: Any, components: Any, assumed: Any = ()) -> int:
    """Sets that fit by pods and by amounts in thousandths, which are rounded up one by one."""
    summary = cluster["status"].get("resourceSummary") or {}
    replicas = sum(component.get("replicas", 0) for component in components)
    taken = [component for workload in assumed for component in workload["components"]]
    pods = _free(summary, "pods") // 1000
    pods -= sum(component.get("replicas", 0) for component in taken)
    limits = [max(0, pods) // max(replicas, 1)]
    for name in {name for component in components for name in _request(component)}:
        needed = _needed(components, name)
        if needed > 0:
            limits.append(max(0, _free(summary, name) - _needed(taken, name)) // needed)
    return min(limits)


def _free(summary: Any, name: str) -> int:
    there, taken, coming = (
        quantity.parse_json((summary.get(field) or {}).get(name))
        for field in ("allocatable", "allocated", "allocating")
    )
    return _thousandths(there - taken - coming)


def _thousandths(amount: quantity.Quantity) -> int:
    return amount.rounded(0) * 1000 if amount.format == "BinarySI" else amount.rounded(-3)


def _request(component: Any) -> dict[str, Any]:
    return (component.get("replicaRequirements") or {}).get("resourceRequest") or {}


def _needed(components: Any, name: str) -> int:
    return sum(
        component.get("replicas", 0)
        * _thousandths(quantity.parse_json(_request(component).get(name)))
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
            for group in groups_of(
                field, topology, candidates, placement, request.replicas
            ).values()
        }
        for plural, field in fields.items()
        if placement.spreads and placement.constraint(field) is not None
    }
    try:
        answer["selected"] = select(
            topology, candidates, placement, replicas=request.replicas, needed=needed
        ).names
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


def _mixes_units(case: Case, answer: Answer) -> bool:
    given = case.input
    return (
        bool(given["spec"].get("components"))
        and (given.get("featureGates") or {}).get("MultiplePodTemplatesScheduling", False)
        and any(_mixed(given, cluster) for cluster in given["clusters"])
    )


def _sets_fit(case: Case, answer: Answer) -> bool:
    """Whether what we chose has room by value; on an error, whether what they chose has none.

    A cluster with resource models may have too little on each node, whatever its sum.
    """
    components = case.input["spec"]["components"]
    mixed = {name for cluster in case.input["clusters"] for name in _mixed(case.input, cluster)}
    if not _as_respelled(case, answer, mixed, run_schedule):
        return False
    room = {
        cluster["metadata"]["name"]: "status" in cluster and _exact_sets(cluster, components)
        for cluster in case.input["clusters"]
    }
    if "error" in answer:
        modelled = {
            cluster["metadata"]["name"]
            for cluster in case.input["clusters"]
            if cluster.get("spec", {}).get("resourceModels")
        }
        theirs = [target["name"] for target in case.expect.get("clusters", ())]
        return answer["error"]["kind"] == "Other" and all(
            not room[name] or name in modelled for name in theirs
        )
    return all(room[target["name"]] for target in answer["clusters"])


def _nothing_lost(case: Case, answer: Answer) -> bool:
    targets = answer.get("clusters", [])
    names = [target["name"] for target in targets]
    known = {cluster["metadata"]["name"] for cluster in case.input["clusters"]}
    return (
        "error" not in answer
        and len(names) == len(known.intersection(names))
        and sum(target["replicas"] for target in targets) == case.input["spec"].get("replicas", 0)
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
            _is_exact,
        ),
        Rule(
            "amounts of different formats",
            "amounts of component sets are compared by value; the recorded program compares "
            "thousandths of decimal amounts with whole units of binary ones",
            _mixes_formats,
            _compared_by_value,
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
            "amounts of different formats",
            "a set of components goes where it fits by value",
            _mixes_units,
            _sets_fit,
        ),
        Rule(
            "stable sort",
            "clusters of equal capacity stay in the order of selection",
            _stable,
            _is_stable,
        ),
    ),
)
