"""Runs and judges recordings of the bundled scripts: one file for each kind."""

from __future__ import annotations

import copy
from typing import Any

import thirdparty_argo
import thirdparty_flux
import thirdparty_jobs
import thirdparty_kruise
from compare import same
from lua_agreement import walk
from recordings import Answer, Case, Rule

from interpreter import ResourceInterpreter
from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError
from interpreter.machinery.gvk import GVK
from interpreter.operations import parse_operation

INTERPRETER = ResourceInterpreter(tiers=("bundled",), plugins=None)

#: Names of the arguments in a recording; the first that is there is the object.
_OBJECT = ("desired", "observed")


def run(case: Case) -> Answer:
    """Our answer in the recording's shape, or ``error`` with the exception.

    Inputs stay untouched.
    """
    given = copy.deepcopy(case.input)
    operation = parse_operation(case.operation)
    inputs: dict[str, Any] = {}
    if operation is Operation.REVISE_REPLICA:
        inputs = {"replicas": case.input["replicas"]}
    elif operation is Operation.RETAIN:
        inputs = {"observed": case.input["observed"]}
    elif operation is Operation.AGGREGATE_STATUS:
        inputs = {"items": case.input.get("statusItems")}
    obj = next(case.input[name] for name in _OBJECT if case.input.get(name) is not None)
    try:
        answer = _shown(operation, INTERPRETER.call(operation, obj, **inputs))
    except InterpreterError as error:
        answer = {"error": error}
    assert case.input == given, f"{case.id}: the input was changed"
    return answer


def _shown(operation: Operation, result: Any) -> Answer:
    match operation:
        case Operation.GET_REPLICAS:
            shown = result.to_dict()
            return {"replica": shown["replicas"], "requires": shown["requirements"]}
        case Operation.GET_COMPONENTS:
            return {"components": [entry.to_dict() for entry in result]}
        case Operation.REVISE_REPLICA:
            return {"revised": result}
        case Operation.RETAIN:
            return {"retained": result}
        case Operation.AGGREGATE_STATUS:
            return {"aggregatedStatus": result}
        case Operation.REFLECT_STATUS:
            return {"status": result}
        case Operation.INTERPRET_HEALTH:
            return {"healthy": result.healthy}
    return {"dependencies": [entry.to_dict() for entry in result]}


def agrees(case: Case, answer: Answer) -> bool:
    """Equality of all recorded fields; errors agree with errors."""
    if case.failed or "error" in answer:
        return case.failed and "error" in answer
    return all(
        same(_sorted(wanted), _sorted(answer[name]))
        if name in case.unordered
        else same(wanted, answer[name])
        for name, wanted in case.expect.items()
    )


def _sorted(entries: Any) -> Any:
    return sorted(entries, key=lambda entry: str(entry["name"])) if entries else entries


def run_operations(case: Case) -> Answer:
    """The operations for which a kind has a script, by the names of recordings."""
    group, _, version = case.input["apiVersion"].rpartition("/")
    gvk = GVK(group, version, case.input["kind"])
    return {
        "operations": [
            name
            for name in case.expect["operations"]
            if INTERPRETER.hook_enabled(gvk, parse_operation(name))
        ]
    }


def explain(case: Case, answer: Answer) -> Rule | None:
    """The rule that covers a case on which we differ.

    None when there is none, or it does not hold.
    """
    for rule in RULES:
        if rule.applies(case, answer) and rule.holds(case, answer):
            return rule
    return None


# --- Rules ---------------------------------------------------------------------------------------


def _single(case: Case, answer: Answer) -> tuple[Any, Any] | None:
    """The recorded and our own object or status; None when one of them is an error."""
    if case.failed or "error" in answer or len(case.expect) != 1:
        return None
    ((name, wanted),) = case.expect.items()
    return wanted, answer[name]


def _kept_applies(case: Case, answer: Answer) -> bool:
    pair = _single(case, answer)
    return pair is not None and same(_full(pair[0]), _full(pair[1]))


def _kept_holds(case: Case, answer: Answer) -> bool:
    """What is more in ours is empty, or null, and was in an input; and nothing is less."""
    came_in = [entry for entry in walk(case.input) if entry in ({}, [], None)]
    wanted, got = _single(case, answer) or (None, None)
    more = _more(wanted, got)
    return (
        bool(more)
        and all(any(entry == other for other in came_in) for entry in more)
        and not _less(wanted, got)
    )


def _less(wanted: Any, got: Any) -> bool:
    """Whether something of the recorded answer is not in ours, at the same place."""
    if isinstance(wanted, dict):
        return not isinstance(got, dict) or any(
            key not in got or _less(item, got[key]) for key, item in wanted.items()
        )
    if isinstance(wanted, list):
        if not isinstance(got, list) or len(got) < len(wanted):
            return True
        # Where an empty entry is back in a list, entries have other places.
        pairs = zip(wanted, got, strict=True) if len(got) == len(wanted) else ()
        return any(_less(*pair) for pair in pairs)
    return False


def _full(value: Any) -> Any:
    """A value without what is empty; a map or list that only held such things is empty, too."""
    if isinstance(value, dict):
        kept = {key: _full(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, {}, [])}
    if isinstance(value, list):
        return [item for item in map(_full, value) if item not in (None, {}, [])]
    return value


#: Stands for what is not there, which is not the same as null.
_ABSENT: Any = object()


def _more(wanted: Any, got: Any) -> list[Any]:
    """Empty values of ours that the recorded answer does not have at the same place."""
    if isinstance(got, dict):
        there = wanted if isinstance(wanted, dict) else {}
        found = [
            entry for key, item in got.items() for entry in _more(there.get(key, _ABSENT), item)
        ]
    elif isinstance(got, list):
        aligned = isinstance(wanted, list) and len(wanted) == len(got)
        others = wanted if aligned else [_ABSENT] * len(got)
        found = [entry for pair in zip(others, got, strict=True) for entry in _more(*pair)]
    else:
        found = []
    return [*found, got] if got in (None, {}, []) and got != wanted else found


# --- The spec ------------------------------------------------------------------------------------


def _spec_dropped(case: Case, _answer: Answer) -> bool:
    return (
        case.operation == "AggregateStatus"
        and not case.failed
        and "spec" in case.input["desired"]
        and "spec" not in case.expect["aggregatedStatus"]
    )


def _spec_kept(case: Case, answer: Answer) -> bool:
    """Ours is the recorded object with the spec as it came in."""
    got = answer.get("aggregatedStatus", {})
    spec = case.input["desired"]["spec"]
    wanted = case.expect["aggregatedStatus"] | {"spec": spec}
    return same(spec, got.get("spec")) and same(_full(wanted), _full(got))


# --- A status without anything -------------------------------------------------------------------


def _status_emptied(case: Case, _answer: Answer) -> bool:
    return (
        case.operation == "AggregateStatus"
        and not case.failed
        and case.expect["aggregatedStatus"].get("status") == {}
    )


def _status_left_out(case: Case, answer: Answer) -> bool:
    got = answer.get("aggregatedStatus", {})
    return "status" not in got and same(_full(case.expect["aggregatedStatus"]), _full(got))


# --- No dependencies -----------------------------------------------------------------------------

#: Fields that name another object.
_REFERENCES = frozenset(
    (
        *("claimName", "configMap", "configMapKeyRef", "configMapRef", "imagePullSecrets"),
        *("secret", "secretKeyRef", "secretName", "secretRef"),
    )
)


def _refers(value: Any) -> bool:
    """Whether an object has a field that names another object, or an account of its own."""
    fields = [entry for entry in walk(value) if isinstance(entry, dict)]
    return any(
        entry.get("serviceAccountName") not in (None, "", "default")
        or any(entry.get(field) for field in _REFERENCES)
        for entry in fields
    )


def _no_dependencies(case: Case, answer: Answer) -> bool:
    return (
        case.failed
        and case.operation == "InterpretDependency"
        and not _refers(case.input.get("desired"))
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "empty maps and lists stay",
        "what was empty or null in an input is still there; the recorded program drops it",
        _kept_applies,
        _kept_holds,
    ),
    Rule(
        "aggregation keeps the spec",
        "the recorded scripts for SidecarSet and Ray kinds drop it; ours only replace the status",
        _spec_dropped,
        _spec_kept,
    ),
    Rule(
        "a status without anything is left out",
        "the recorded scripts write it where tables that they made themselves vanish from it",
        _status_emptied,
        _status_left_out,
    ),
    Rule(
        "no dependencies is an empty list",
        "an object that refers to nothing has no dependencies; the recorded script fails there",
        _no_dependencies,
        lambda _case, answer: answer == {"dependencies": []},
    ),
    *thirdparty_argo.RULES,
    *thirdparty_flux.RULES,
    *thirdparty_jobs.RULES,
    *thirdparty_kruise.RULES,
)
