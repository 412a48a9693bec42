"""Where the bundled scripts of batch and stream kinds differ from the recorded ones on purpose."""

from __future__ import annotations

from typing import Any

from recordings import Answer, Case, Rule

#: The states that the recorded script for a SparkApplication ranks.
_STATES = frozenset(
    (
        *("", "SUBMITTED", "RUNNING", "COMPLETED", "FAILED", "SUBMISSION_FAILED", "PENDING_RERUN"),
        *("INVALIDATING", "SUCCEEDING", "FAILING", "SUSPENDING", "SUSPENDED", "RESUMING"),
        "UNKNOWN",
    )
)


def _states(case: Case) -> list[Any]:
    """The application states of members that report one, in their order."""
    found = (
        ((item.get("status") or {}).get("applicationState") or {}).get("state")
        for item in case.input.get("statusItems") or ()
    )
    return [state for state in found if state is not None]


def _state_unknown(case: Case, _answer: Answer) -> bool:
    obj = case.input.get("desired") or {}
    return (
        case.failed
        and case.operation == "AggregateStatus"
        and obj.get("kind") == "SparkApplication"
        and any(state not in _STATES for state in _states(case))
    )


def _state_kept(case: Case, answer: Answer) -> bool:
    """Unless a member has failed, the first state that is not listed stands."""
    states = _states(case)
    worse = [state for state in states if state in ("FAILING", "FAILED", "SUBMISSION_FAILED")]
    status = (answer.get("aggregatedStatus") or {}).get("status") or {}
    got = (status.get("applicationState") or {}).get("state")
    if worse:
        return got in worse
    return got == next(state for state in states if state not in _STATES or state == "UNKNOWN")


RULES: tuple[Rule, ...] = (
    Rule(
        "a state of a newer operator is no error",
        "nobody knows that it is harmless, so it counts as unknown; the recorded script fails",
        _state_unknown,
        _state_kept,
    ),
)
