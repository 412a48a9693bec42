"""Recordings of statuses: collected from Works, folded into templates, reflected from members."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

from compare import same
from differences import same_but_for_types
from pipeline_judging import explainer, runner
from pipeline_works import NATIVE
from recordings import Answer, Case, Rule

from interpreter.propagation.status import sync_status
from interpreter.propagation.status_reflection import reflect_status


def _sync(given: dict[str, Any]) -> Answer:
    before = copy.deepcopy(given)
    result = sync_status(
        given["binding"],
        given["works"],
        template=given.get("template"),
        now=datetime.now(UTC),
        interpreter=NATIVE,
    )
    assert before == given
    answer: Answer = {
        "error": result.errors[0] if result.errors else None,
        "bindingStatus": result.status,
        "templateStatusWritten": result.template is not None,
    }
    if result.template is not None:
        answer["templateStatus"] = result.template["status"]
    return answer


def _reflect(given: dict[str, Any]) -> Answer:
    before = copy.deepcopy(given)
    result = reflect_status(
        given["work"], given["memberObject"], cluster=given["cluster"], interpreter=NATIVE
    )
    assert before == given
    if result is None:
        return {"manifestStatuses": (given["work"].get("status") or {}).get("manifestStatuses")}
    return {"manifestStatuses": result.manifest_statuses}


_run = runner({"sync_binding_status": _sync, "reflect_work_status": _reflect})


def run(case: Case) -> Answer:
    """Our answer; on an error everything stays as it was."""
    answer = _run(case)
    if answer["error"] is not None:
        if case.operation == "reflect_work_status":
            status = case.input["work"].get("status") or {}
            answer.setdefault("manifestStatuses", status.get("manifestStatuses"))
        else:
            answer.setdefault("bindingStatus", case.input["binding"].get("status"))
            answer.setdefault("templateStatusWritten", False)
    return answer


def agrees(case: Case, answer: Answer) -> bool:
    """Equality; of errors only that there is one."""
    if case.failed != (answer["error"] is not None):
        return False
    return all(
        same(wanted, answer.get(field)) for field, wanted in case.expect.items() if field != "error"
    )


# --- Differences ---------------------------------------------------------------------------------


def _known(binding: dict[str, Any]) -> set[str]:
    """Clusters that are scheduled, required, or in an eviction task."""
    spec = binding["spec"]
    lists = [spec, *(spec.get("requiredBy") or ())]
    return {entry["name"] for each in lists for entry in each.get("clusters") or ()} | {
        task["fromCluster"] for task in spec.get("gracefulEvictionTasks") or ()
    }


def _strangers(case: Case, answer: Answer) -> bool:
    if case.operation != "sync_binding_status" or answer["error"] is not None:
        return False
    items = (case.expect["bindingStatus"] or {}).get("aggregatedStatus") or ()
    known = _known(case.input["binding"])
    return any(item["clusterName"] not in known for item in items)


def _strangers_hold(case: Case, answer: Answer) -> bool:
    """Whether the strangers are gone, and all else is as if their Works did not exist."""
    known = _known(case.input["binding"])
    wanted = [
        item
        for item in case.expect["bindingStatus"]["aggregatedStatus"]
        if item["clusterName"] in known
    ]
    given = copy.deepcopy(case.input)
    given["works"] = [
        work
        for work in given["works"]
        if work["metadata"]["namespace"].removeprefix("karmada-es-") in known
    ]
    without = run(Case(case.id, case.operation, given, case.expect))
    answer = copy.deepcopy(answer)
    for side in (answer, without):
        for condition in side["bindingStatus"]["conditions"]:
            if condition["type"] == "FullyApplied":
                condition.pop("lastTransitionTime", None)
    return same(wanted, answer["bindingStatus"].get("aggregatedStatus", [])) and same(
        answer, without
    )


def _typed(case: Case, answer: Answer) -> bool:
    return not case.failed and answer["error"] is None


def _typed_holds(case: Case, answer: Answer) -> bool:
    if case.operation == "reflect_work_status":
        wanted, got = case.expect["manifestStatuses"], answer["manifestStatuses"]
        origin = case.input["memberObject"].get("status")
        return (
            len(wanted) == len(got) == 1
            and same(wanted[0]["identifier"], got[0]["identifier"])
            and wanted[0].get("health") == got[0].get("health")
            and same_but_for_types(wanted[0].get("status"), got[0].get("status"), origin)
        )
    origin = (case.input.get("template") or {}).get("status")
    if case.expect["templateStatusWritten"] != answer["templateStatusWritten"]:
        return False
    return same(case.expect["bindingStatus"], answer["bindingStatus"]) and same_but_for_types(
        case.expect.get("templateStatus") or {}, answer.get("templateStatus") or {}, origin
    )


RULES = (
    Rule(
        "clusters of the past",
        "a cluster that is neither scheduled, nor required, nor in an eviction task leaves the "
        "aggregated status; the recorded program counts it as long as its Work exists",
        _strangers,
        _strangers_hold,
    ),
    Rule(
        "typed round trip",
        "statuses stay plain objects: no zero fields or null lists appear",
        _typed,
        _typed_holds,
    ),
)
SUITE = (run, agrees, explainer(RULES))
