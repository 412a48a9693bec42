"""What ``explain`` tells about one operation of one object, and how it finds out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError
from interpreter.machinery.gvk import GVK, gvk_of
from interpreter.machinery.unstructured import JsonObject, JsonValue, ordered_like
from interpreter.operations import OPERATIONS, REQUIRED
from interpreter.registry import Candidate, Implementation

#: Asks one operation: arguments in, result and who answered out.
Ask = Callable[[Operation, tuple[Any, ...]], tuple[Any, Implementation | None]]


#: Tiers whose answers never come out of Lua, whose tables have no order: a plugin is a pack of
#: scripts, or goes on with a script's answer; a webhook hands one on.
_ORDERED_TIERS = frozenset({"native", "generic"})
_REQUIREMENTS = {
    "nodeClaim": dict.fromkeys(("hardNodeAffinity", "nodeSelector", "tolerations")),
    "resourceRequest": None,
    "namespace": None,
    "priorityClassName": None,
}
#: Fields of answers (of each item where the answer is a list) that are records of the API.
_RECORDS: dict[Operation, JsonObject] = {
    Operation.GET_REPLICAS: {"replicas": None, "requirements": _REQUIREMENTS},
    Operation.GET_COMPONENTS: {
        "name": None,
        "replicas": None,
        "replicaRequirements": _REQUIREMENTS,
    },
    Operation.INTERPRET_HEALTH: dict.fromkeys(("status", "reason", "message", "healthy")),
    Operation.GET_DEPENDENCIES: dict.fromkeys(
        ("apiVersion", "kind", "namespace", "name", "labelSelector")
    ),
}


def ordered_answer(operation: Operation, answer: JsonValue, obj: JsonValue) -> JsonValue:
    """A script's answer as a command shows it: in an order that is the same in every process.

    Args:
        operation: The operation.
        answer: Its result as JSON.
        obj: The object it was asked about, whose order the answer takes.
    """
    record = _RECORDS.get(operation)
    if record is not None:
        return ordered_like(answer, [record] * len(answer) if isinstance(answer, list) else record)
    if operation is Operation.REFLECT_STATUS:
        return ordered_like(answer, obj.get("status") if isinstance(obj, dict) else None)
    return ordered_like(answer, obj)


def may_be_scripted(candidates: Iterable[Candidate]) -> bool:
    """Whether an answer can be a script's, or made of one, given everybody who claims the kind."""
    for implementation, skipped in candidates:
        if skipped is None:
            if implementation.tier not in _ORDERED_TIERS:
                return True
            if implementation.final:
                return False
    return False


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
        by: Who answered or failed; None when nobody did.
        wrapped_by: Wrappers around the answer, which may have amended it.
        skipped: Implementations that claim the kind but did not answer, in order.
        notes: Inputs that were assumed.
        error: The error, None when there was none.
        seconds: Wall time of the call.
        state: How who answered fares (the circuit of a webhook), None where it always fares the
            same.
    """

    gvk: GVK
    operation: Operation
    answer: Any
    by: Implementation | None
    wrapped_by: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]
    error: InterpreterError | None
    seconds: float
    state: str | None = None

    @property
    def tier(self) -> str | None:
        """Tier that answered or failed."""
        return None if self.by is None else self.by.tier

    @property
    def plugin(self) -> str | None:
        """Name inside that tier."""
        return None if self.by is None else self.by.plugin

    @property
    def handler(self) -> str | None:
        """Function or script that answered."""
        return None if self.by is None else self.by.handler

    @property
    def generic(self) -> bool:
        """Whether the answer is a convention's, not a rule for this kind."""
        return self.tier == "generic"

    @property
    def script(self) -> str | None:
        """Lua script that failed."""
        return None if self.error is None else self.error.script

    @property
    def line(self) -> int | None:
        """Line in that script."""
        return None if self.error is None else self.error.line

    def to_dict(self) -> JsonObject:
        """JSON shape, for tables and files."""
        result: JsonObject = {
            "operation": self.operation.value,
            "answered": self.by is not None and self.error is None,
            "answer": self.answer,
            "tier": self.tier,
            "plugin": self.plugin,
            "handler": self.handler,
            "generic": self.generic,
            "microseconds": round(self.seconds * 1e6, 1),
            "wrappedBy": list(self.wrapped_by),
            "skipped": [entry.to_dict() for entry in self.skipped],
            "notes": list(self.notes),
        }
        if self.error is not None:
            result["error"] = {"type": type(self.error).__name__, "message": str(self.error)}
        facts = (("script", self.script), ("line", self.line), ("state", self.state))
        for name, value in facts:
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
    by: Implementation | None = None
    error: InterpreterError | None = None
    arguments = (obj, *_arguments(operation, obj, given, ask, notes))
    started = time.perf_counter()
    try:
        result, by = ask(operation, arguments)
        if by is not None and result is not None:
            answer = OPERATIONS[operation].show(result)
    except InterpreterError as problem:
        error = problem
    seconds = time.perf_counter() - started
    known = list(candidates)
    if answer is not None and may_be_scripted(known):
        answer = ordered_answer(operation, answer, obj)
    if error is not None:
        # Who failed may be in quarantine by now, which is a reason not to be asked again.
        failed = [entry for entry in known if _failed(entry, error)]
        failed.sort(key=lambda entry: entry.skipped is not None)
        by = failed[0].implementation if failed else None
    elif by is not None:
        by = _listed(known, by)
    return Explanation(
        gvk=gvk,
        operation=operation,
        answer=answer,
        by=by,
        wrapped_by=tuple(_wrappers(known, by)),
        skipped=tuple(_skipped(known, by, error)),
        notes=tuple(notes),
        error=error,
        seconds=seconds,
        state=None if by is None or by.state is None else by.state(),
    )


def _failed(candidate: Candidate, error: InterpreterError) -> bool:
    """Whether an implementation can be the one that an error names."""
    implementation, skipped = candidate
    named = (implementation.plugin,) if skipped is not None else (None, implementation.plugin)
    return implementation.tier == error.tier and error.plugin in named


def _listed(candidates: list[Candidate], by: Implementation) -> Implementation:
    """The candidate that answered: a route may ask a copy of it (with a context, or traced)."""
    identity = (by.tier, by.plugin, by.handler, by.gvk)
    for one, _skipped in candidates:
        if (one.tier, one.plugin, one.handler, one.gvk) == identity:
            return one
    return by


def _wrappers(candidates: list[Candidate], by: Implementation | None) -> Iterator[str]:
    for implementation, skipped in candidates:
        if skipped is None and implementation.wrapper and by not in (None, implementation):
            yield implementation.label


def _skipped(
    candidates: list[Candidate], by: Implementation | None, error: InterpreterError | None
) -> Iterator[Skipped]:
    after = False
    for implementation, reason in candidates:
        if implementation is by:
            after = True
            continue
        if reason is None and implementation.wrapper:
            if by is not None:
                continue
            reason = "wraps a chain without an answer"
        elif reason is None and after and by is not None:
            reason = f"{by.label} {'answers' if error is None else 'failed'} first"
        elif reason is None and implementation.state is not None:
            reason = f"gave no answer: {implementation.state()}"
        elif reason is None:
            reason = "said: not mine"
        yield Skipped(implementation.tier, implementation.plugin, implementation.handler, reason)


def _arguments(
    operation: Operation, obj: JsonObject, given: Mapping[str, Any], ask: Ask, notes: list[str]
) -> Iterator[Any]:
    """The arguments behind the object, assumed (and noted) where they are not given."""
    for argument in OPERATIONS[operation].inputs:
        value = given.get(argument.name)
        if value is not None:
            yield value
        elif argument.default is not REQUIRED:
            yield argument.default
        else:
            assumed, note = _ASSUMED[argument.name](obj, ask)
            notes.append(f"{argument.name}: {note}")
            yield assumed


def _itself(obj: JsonObject, _ask: Ask) -> tuple[Any, str]:
    return obj, "the object itself"


def _own_count(obj: JsonObject, ask: Ask) -> tuple[Any, str]:
    try:
        result, answered = ask(Operation.GET_REPLICAS, (obj,))
    except InterpreterError:
        answered = None
    if answered is None:
        return 0, "0, for the object's own count cannot be read"
    return result.replicas, f"the object's own count, {result.replicas}"


def _own_status(obj: JsonObject, ask: Ask) -> tuple[Any, str]:
    note = "one item from the object's own reflected status"
    try:
        status, _answered = ask(Operation.REFLECT_STATUS, (obj,))
    except InterpreterError:
        status, note = obj.get("status"), "one item from the object's status as it is"
    item = {"clusterName": "itself", "status": status}
    return [item if status is not None else {"clusterName": "itself"}], note


#: What stands in for an input that is not given, by the argument's name.
_ASSUMED: dict[str, Callable[[JsonObject, Ask], tuple[Any, str]]] = {
    "observed": _itself,
    "replicas": _own_count,
    "items": _own_status,
}
