"""Recordings of member objects: updates, Works carried out, merged metadata."""

from __future__ import annotations

import copy
from dataclasses import replace
from datetime import datetime
from typing import Any

from compare import same
from differences import same_but_for_types
from pipeline_judging import agrees_but, explainer, runner
from pipeline_works import NATIVE
from recordings import Answer, Case, Rule

from interpreter.api import work_marks
from interpreter.errors import Conflict
from interpreter.propagation.marking import by_key, marked
from interpreter.propagation.member_update import merge_metadata, update_member_object
from interpreter.propagation.work_reconcile import DELETE_PROPAGATION, reconcile_work
from interpreter.propagation.works_packing import record_managed


def _update(given: dict[str, Any]) -> Answer:
    before = copy.deepcopy(given)
    result = update_member_object(
        given["desired"], given["observed"], cluster=given["cluster"], interpreter=NATIVE
    )
    assert before == given
    if not result.needed:
        return {"sent": False, "unsent": result.object}
    return {"sent": True, "object": result.object}


def _reconcile(given: dict[str, Any]) -> Answer:
    before = copy.deepcopy(given)
    result = reconcile_work(
        given["work"],
        cluster=given.get("cluster"),
        observed=by_key(given["memberObjects"]),
        now=datetime.fromisoformat(given["now"]),
        interpreter=NATIVE,
    )
    assert before == given
    answer: Answer = {
        "error": result.errors[0] if result.errors else None,
        "operations": [_operation(each) for each in result.operations],
        "workGone": False,
    }
    if given["work"]["metadata"].get("deletionTimestamp") and not result.finalizers:
        return {**answer, "workGone": True}
    conditions = sorted(result.conditions, key=lambda each: each["type"])
    return {**answer, "conditions": conditions, "finalizers": list(result.finalizers)}


def _operation(operation: Any) -> dict[str, Any]:
    if operation.verb == "delete":
        return {
            "verb": "delete",
            "namespace": operation.key.namespace,
            "name": operation.key.name,
            "propagationPolicy": DELETE_PROPAGATION,
        }
    return {"verb": operation.verb, "object": operation.object}


def _merge(given: dict[str, Any]) -> Answer:
    return _maps(merge_metadata(given["desired"], given["observed"]))


def _record(given: dict[str, Any]) -> Answer:
    obj = given["object"]
    if given["workPermanentID"]:
        obj = marked(obj, labels={work_marks.WORK_ID: given["workPermanentID"]})
    return _maps(record_managed(obj))


def _maps(obj: dict[str, Any]) -> Answer:
    metadata = obj["metadata"]
    return {name: metadata.get(name) or {} for name in ("labels", "annotations")}


_run = runner(
    {
        "update": _update,
        "reconcile_work": _reconcile,
        "merge_metadata": _merge,
        "record_managed": _record,
    }
)


def run(case: Case) -> Answer:
    """Our answer; what fails is not sent."""
    answer = _run(case)
    if case.operation == "update" and answer["error"] is not None:
        answer["sent"] = False
    return answer


def agrees(case: Case, answer: Answer) -> bool:
    """Equality; the text of a conflict is published.

    The plural of a kind, by which the recorded program addresses a deletion, is no matter of rooms
    that only know kinds.
    """
    if case.failed and isinstance(answer["error"], Conflict):
        return agrees_but()(case, answer) and case.expect["error"] == str(answer["error"])
    expect = {
        **case.expect,
        **(
            {
                "operations": [
                    {key: value for key, value in each.items() if key != "resource"}
                    for each in case.expect["operations"]
                ]
            }
            if "operations" in case.expect
            else {}
        ),
    }
    return agrees_but()(replace(case, expect=expect), answer)


# --- Differences ---------------------------------------------------------------------------------


def _typed(case: Case, answer: Answer) -> bool:
    return bool(case.expect.get("sent")) and answer.get("sent") is True


def _typed_holds(case: Case, answer: Answer) -> bool:
    origin = case.input["desired"]
    return same_but_for_types(case.expect["object"], answer["object"], origin)


#: What only the member's API server writes, and no update sends.
_SERVED = ("creationTimestamp", "generation", "managedFields", "uid", "selfLink")


def _unneeded(case: Case, answer: Answer) -> bool:
    return bool(case.expect.get("sent")) and answer.get("sent") is False


def _unneeded_holds(case: Case, answer: Answer) -> bool:
    """Whether what the recorded program sends is what the member has already."""
    observed = copy.deepcopy(case.input["observed"])
    observed.pop("status", None)
    for field in _SERVED:
        observed["metadata"].pop(field, None)
    unsent = answer["unsent"]
    return same_but_for_types(case.expect["object"], unsent, observed) and same(observed, unsent)


RULES = (
    Rule(
        "needless update",
        "an object that retention and pruning would leave as it is is not sent; the recorded "
        "program sends it every time",
        _unneeded,
        _unneeded_holds,
    ),
    Rule(
        "typed round trip",
        "the plain object is edited: no zero fields or null lists appear, no unknown field "
        "vanishes, quantities keep their text",
        _typed,
        _typed_holds,
    ),
)
SUITE = (run, agrees, explainer(RULES))
