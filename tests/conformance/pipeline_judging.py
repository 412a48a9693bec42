"""How recordings of the pipeline are judged: what all its files have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from compare import same
from recordings import Answer, Case, Rule

from interpreter.errors import InterpreterError

Runner = Callable[[dict[str, Any]], Answer]


def runner(operations: dict[str, Runner]) -> Callable[[Case], Answer]:
    """Our answer to a case; an error that is raised becomes the answer's ``error``."""

    def run(case: Case) -> Answer:
        try:
            return {"error": None, **operations[case.operation](case.input)}
        except InterpreterError as error:
            return {"error": error}

    return run


def explainer(rules: Iterable[Rule]) -> Callable[[Case, Answer], Rule | None]:
    """The first rule that speaks about a case and holds."""
    known = tuple(rules)

    def explain(case: Case, answer: Answer) -> Rule | None:
        for rule in known:
            if rule.applies(case, answer):
                return rule if rule.holds(case, answer) else None
        return None

    return explain


def agrees_but(*special: str) -> Callable[[Case, Answer], bool]:
    """Whether all fields agree but the named ones; of errors only that there is one."""

    def agrees(case: Case, answer: Answer) -> bool:
        if "error" in case.expect and case.failed != (answer["error"] is not None):
            return False
        return all(
            same(wanted, answer.get(field))
            for field, wanted in case.expect.items()
            if field != "error" and field not in special
        )

    return agrees


def is_error(_case: Case, answer: Answer) -> bool:
    """Whether ours is an error."""
    return answer["error"] is not None
