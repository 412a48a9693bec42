"""Runs and judges the recordings of health: what a person calls the state of real objects.

All tiers answer, without plugins. Only the state is compared: messages are not recorded, and the
boolean has recordings of its own.
"""

from __future__ import annotations

import copy
from typing import Any

from recordings import Answer, Case, Rule

from interpreter import ResourceInterpreter
from interpreter.errors import InterpreterError

INTERPRETER = ResourceInterpreter(plugins=None)


def run(case: Case) -> Answer:
    """Our state, with reason and message for the report; or ``error`` with the exception."""
    given = copy.deepcopy(case.input)
    try:
        health = INTERPRETER.interpret_health(case.input["object"])
    except InterpreterError as error:
        return {"error": error}
    assert case.input == given, f"{case.id}: the input was changed"
    return {"status": health.status, "reason": health.reason, "message": health.message}


def agrees(case: Case, answer: Answer) -> bool:
    """Whether the state is the recorded one."""
    return "error" not in answer and answer["status"] == case.expect["status"]


def explain(case: Case, answer: Answer) -> Rule | None:
    """The rule that covers a case on which we differ.

    None when there is none, or it does not hold.
    """
    for rule in RULES:
        if rule.applies(case, answer):
            return rule if rule.holds(case, answer) else None
    return None


# --- Rules ---------------------------------------------------------------------------------------


def _object(case: Case) -> Any:
    return case.input["object"]


def _says(status: str) -> Any:
    return lambda _case, answer: answer.get("status") == status


def _no_status(case: Case, _answer: Answer) -> bool:
    return not _object(case).get("status") and case.expect["status"] == "Unknown"


def _deleted(case: Case, _answer: Answer) -> bool:
    return bool(_object(case).get("metadata", {}).get("deletionTimestamp"))


def _rolled_out(case: Case, _answer: Answer) -> bool:
    return case.expect["status"] == "Progressing" and any(
        condition.get("type") == "Progressing"
        and condition.get("status") == "True"
        and condition.get("reason") == "NewReplicaSetAvailable"
        for condition in (_object(case).get("status") or {}).get("conditions") or ()
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "no status yet is a beginning",
        "Nobody has looked at the object yet: that is known, and it is on its way. The recorded"
        " program calls it Progressing for most kinds, and Unknown for a few.",
        _no_status,
        _says("Progressing"),
    ),
    Rule(
        "what is being deleted is on its way out",
        "kstatus and the recorded program outside its scripts say so, whatever the conditions of"
        " better days are; the recorded objects of a few kinds were never deleted.",
        _deleted,
        _says("Progressing"),
    ),
    Rule(
        "a Deployment's NewReplicaSetAvailable is an end",
        "Operators that copy the conditions of a Deployment copy Progressing=True of a rollout that"
        " is done, as the Deployment's documentation says; the recorded program takes the type"
        " at its word.",
        _rolled_out,
        _says("Healthy"),
    ),
)
