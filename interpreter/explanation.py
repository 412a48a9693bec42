"""What ``explain`` tells about one operation of one object, and how it finds out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError
from interpreter.machinery.gvk import GVK, gvk_of
from interpreter.machinery.unstructured import JsonObject
from interpreter.operations import OPERATIONS
from interpreter.registry import Candidate, Implementation

#: Asks one operation: arguments in, result and who answered out.
Ask = Callable[[Operation, tuple[Any, ...]], tuple[Any, Implementation | None]]


@dataclass(frozen=True, slots=True)
class Skipped:
    """An implementation that did not answer, and why."""

    tier: str
    plugin: str
    handler: str
    reason: str

    def to_dict(self) -> JsonObject:
        """All fields."""
        return {
            "tier": self.tier,
            "plugin": self.plugin,
            "handler": self.handler,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """Who answered, what, and who did not.

    Attributes:
        gvk: Kind of the object.
        operation: The operation asked.
        answer: The result as JSON; None when nobody answered, when there was an error, or for
            "nothing to report".
        tier: Tier that answered or failed, None when nobody claims the operation.
        plugin: Name inside that tier.
        handler: Function or script that answered.
        generic: Whether the answer is a convention's, not a rule for this kind.
        skipped: Implementations that claim the kind but did not answer, in order.
        notes: Inputs that were assumed.
        error: The error, None when there was none.
        seconds: Wall time of the call.
        script: Lua script, where one answered or failed.
        line: Line in that script.
    """

    gvk: GVK
    operation: Operation
    answer: Any
    tier: str | None
    plugin: str | None
    handler: str | None
    generic: bool
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]
    error: InterpreterError | None
    seconds: float
    script: str | None = None
    line: int | None = None

    def to_dict(self) -> JsonObject:
        """JSON shape, for tables and files."""
        result: JsonObject = {
            "kind": str(self.gvk),
            "operation": self.operation.value,
            "answer": self.answer,
            "tier": self.tier,
            "plugin": self.plugin,
            "handler": self.handler,
            "generic": self.generic,
            "microseconds": round(self.seconds * 1e6, 1),
            "skipped": [entry.to_dict() for entry in self.skipped],
            "notes": list(self.notes),
        }
        if self.error is not None:
            result["error"] = {"type": type(self.error).__name__, "message": str(self.error)}
        for name, value in (("script", self.script), ("line", self.line)):
            if value is not None:
                result[name] = value
        return result


def explain(
    operation: Operation,
    obj: JsonObject,
    given: Mapping[str, Any],
    *,
    candidates: Iterable[Candidate],
    ask: Ask,
) -> Explanation:
    """Runs one operation and tells about it.

    Args:
        operation: The operation.
        obj: The object that names the kind.
        given: The operation's other arguments by name; what is None or missing is assumed.
        candidates: Everybody who claims the kind, in order.
        ask: Runs an operation.

    Raises:
        InvalidObject: The object states no kind. Errors of the operation are part of the answer.
    """
    gvk = gvk_of(obj)
    notes: list[str] = []
    answer: Any = None
    answered: Implementation | None = None
    error: InterpreterError | None = None
    started = time.perf_counter()
    try:
        arguments = (obj, *_arguments(operation, obj, given, ask, notes))
        started = time.perf_counter()
        result, answered = ask(operation, arguments)
        if answered is not None and result is not None:
            answer = OPERATIONS[operation].show(result)
    except InterpreterError as problem:
        error = problem
    seconds = time.perf_counter() - started
    culprit = answered
    skipped = []
    for implementation, reason in candidates:
        if implementation is answered:
            continue
        if reason is None and error is not None and _is_culprit(implementation, error):
            culprit = implementation
            continue
        skipped.append(_skipped(implementation, reason, answered))
    return Explanation(
        gvk=gvk,
        operation=operation,
        answer=answer,
        tier=None if culprit is None else culprit.tier,
        plugin=None if culprit is None else culprit.plugin,
        handler=None if culprit is None else culprit.handler,
        generic=culprit is not None and culprit.tier == "generic",
        skipped=tuple(skipped),
        notes=tuple(notes),
        error=error,
        seconds=seconds,
        script=None if error is None else error.script,
        line=None if error is None else error.line,
    )


def _arguments(
    operation: Operation, obj: JsonObject, given: Mapping[str, Any], ask: Ask, notes: list[str]
) -> Iterator[Any]:
    """The arguments behind the object, assumed (and noted) where they are not given."""
    for name in OPERATIONS[operation].arguments[1:]:
        value = given.get(name)
        if value is None and name == "observed":
            value = obj
            notes.append("observed: the object itself")
        elif value is None and name == "replicas":
            value = _own_count(obj, ask)
            notes.append(f"replicas: the object's own count, {value}")
        elif value is None and name == "items":
            value = [{"clusterName": "itself", **_own_status(obj, ask)}]
            notes.append("items: one item from the object's own status")
        yield bool(value) if name == "remove_job_ttl" else value


def _own_count(obj: JsonObject, ask: Ask) -> int:
    try:
        result, answered = ask(Operation.GET_REPLICAS, (obj,))
    except InterpreterError:
        return 0
    return 0 if answered is None else int(result.replicas)


def _own_status(obj: JsonObject, ask: Ask) -> JsonObject:
    try:
        status, _answered = ask(Operation.REFLECT_STATUS, (obj,))
    except InterpreterError:
        status = obj.get("status")
    return {} if status is None else {"status": status}


def _is_culprit(implementation: Implementation, error: InterpreterError) -> bool:
    return implementation.tier == error.tier and (
        error.plugin is None or implementation.plugin == error.plugin
    )


def _skipped(
    implementation: Implementation, reason: str | None, answered: Implementation | None
) -> Skipped:
    if reason is None and implementation.wrapper:
        reason = "wraps the chain" if answered is not None else "wraps a chain without an answer"
    elif reason is None:
        reason = "said: not mine"
    return Skipped(implementation.tier, implementation.plugin, implementation.handler, reason)
