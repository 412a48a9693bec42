"""Where this project answers otherwise than the recorded program, on purpose.

Each difference is a rule over (case, our answer), never a list of cases. ``applies`` says whether
the rule speaks about the case; ``holds`` what our answer must be instead: a rule that applies
without holding is a failure.
"""

from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any

from compare import same
from recordings import Answer, Case, Rule
from runners import interpret

from interpreter.errors import InterpreterError, InvalidObject
from interpreter.machinery import quantity
from interpreter.machinery.unstructured import INT32_MAX, INT64_MAX, INT64_MIN
from interpreter.operations import parse_operation


def explain(case: Case, answer: Answer) -> Rule | None:
    """The rule that covers a case on which we differ.

    None when there is none, or it does not hold.
    """
    for rule in RULES:
        if rule.applies(case, answer):
            return rule if rule.holds(case, answer) else None
    return None


# --- The typed round trip ------------------------------------------------------------------------

_TYPED_PART = {"AggregateStatus": "status", "ReflectStatus": "status", "Retain": "result"}


def _typed_applies(case: Case, answer: Answer) -> bool:
    return (
        case.operation in _TYPED_PART
        and not case.failed
        and "error" not in answer
        and not _wraps(case, answer)
    )


def _typed_holds(case: Case, answer: Answer) -> bool:
    part = _TYPED_PART[case.operation]
    origin: Any = case.input.get("desired")
    if case.operation == "AggregateStatus":
        before, after = dict(case.input["object"]), dict(answer["result"])
        origin = before.pop("status", None)
        after.pop("status", None)
        if before != after:
            return False
    elif case.operation == "ReflectStatus":
        origin = case.input["object"].get("status")
    return same_but_for_types(case.expect[part], answer[part], origin)


def same_but_for_types(wanted: Any, got: Any, origin: Any) -> bool:
    """Equal but for zero fields that a typed struct adds, and unknown fields that it drops."""
    if same(wanted, got) or (_is_zero(wanted) and _is_zero(got)):
        return True
    if isinstance(wanted, dict) and isinstance(got, dict):
        source = origin if isinstance(origin, dict) else {}
        for key in wanted.keys() | got.keys():
            if key not in got:
                if not _is_zero(wanted[key]):
                    return False
            elif key not in wanted:
                if not _is_zero(got[key]) and got[key] != source.get(key):
                    return False
            elif not same_but_for_types(wanted[key], got[key], source.get(key)):
                return False
        return True
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        sources = (
            origin if isinstance(origin, list) and len(origin) == len(got) else [None] * len(got)
        )
        return all(same_but_for_types(*triple) for triple in zip(wanted, got, sources, strict=True))
    return _same_quantity(wanted, got)


def _is_zero(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_zero(item) for item in value.values())
    return value in (None, "", 0, "0", [])


def _same_quantity(wanted: Any, got: Any) -> bool:
    try:
        return isinstance(wanted, str) and quantity.parse_json(got) == quantity.parse(wanted)
    except InvalidObject:
        return False


# --- Ranges --------------------------------------------------------------------------------------


def _wrap32(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


def _wraps(case: Case, answer: Answer) -> bool:
    """Whether a recorded status holds a sum that was cut to 32 bits, and ours the sum itself."""
    if case.operation != "AggregateStatus" or case.failed or "error" in answer:
        return False
    wanted, got = case.expect["status"], answer["status"]
    if not isinstance(wanted, dict) or not isinstance(got, dict):
        return False
    return any(isinstance(value, int) and abs(value) > INT32_MAX for value in got.values())


def _wraps_holds(case: Case, answer: Answer) -> bool:
    wanted, got = case.expect["status"], answer["status"]
    cut = {
        key: _wrap32(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for key, value in got.items()
    }
    cut = {key: value for key, value in cut.items() if value or key in wanted}
    return same(wanted, cut)


def _counts_out_of_range(case: Case, _answer: Answer) -> bool:
    if case.failed:
        return False
    if case.operation == "ReviseReplica":
        return not 0 <= case.input["replica"] <= INT32_MAX
    if case.operation == "Retain":
        spec = case.input["observed"].get("spec") or {}
        count = spec.get("replicas") if isinstance(spec, dict) else None
        return isinstance(count, int) and not 0 <= count <= INT32_MAX
    if case.operation == "GetReplicas":
        spec = case.input["object"].get("spec") or {}
        counts = [spec.get(field) for field in ("replicas", "parallelism", "completions")]
        return any(
            isinstance(count, (int, float)) and not 0 <= count <= INT32_MAX for count in counts
        )
    return False


def _is_invalid_object(_case: Case, answer: Answer) -> bool:
    return isinstance(answer.get("error"), InvalidObject)


def _quantity_overflows(case: Case, _answer: Answer) -> bool:
    return "overflow" in case.tags and case.operation in (
        "parse",
        "GetReplicas",
        "getResourceQuantity",
    )


def _quantity_overflow_holds(case: Case, answer: Answer) -> bool:
    if case.operation == "GetReplicas":
        return isinstance(answer.get("error"), InvalidObject)
    if "error" in answer:
        return False
    exact = quantity.parse(case.input["s"])
    for field, wanted in case.expect.items():
        got = answer[field]
        if field in ("value", "milli"):
            number = Decimal(exact.digits).scaleb(exact.exponent + (3 if field == "milli" else 0))
            inside = INT64_MIN <= number <= INT64_MAX
            if inside and not abs(Decimal(got) - number) < 1:
                return False
            if not inside and got != "error: out of range":
                return False
        elif field == "string":
            if quantity.parse(got) != exact:
                return False
        elif not same(wanted, got):
            return False
    return True


def _negative_below_nano(case: Case, _answer: Answer) -> bool:
    if case.operation != "parse" or case.failed:
        return False
    parsed = quantity.parse(case.input["s"])
    return parsed.sign < 0 and parsed.exponent == quantity.NANO and case.expect["sign"] < 0


def _negative_below_nano_holds(case: Case, answer: Answer) -> bool:
    fields = {key: value for key, value in case.expect.items() if key not in ("value", "milli")}
    return all(same(value, answer[key]) for key, value in fields.items()) and all(
        answer[field] == -abs(case.expect[field]) for field in ("value", "milli")
    )


# --- Single faults -------------------------------------------------------------------------------


def _null_status(case: Case, _answer: Answer) -> bool:
    obj = case.input.get("object")
    return (
        case.operation == "ReflectStatus"
        and case.failed
        and isinstance(obj, dict)
        and "status" in obj
        and obj["status"] is None
    )


def _native_component(case: Case, _answer: Answer) -> bool:
    return case.operation == "HookEnabled" and case.input["operation"] == "InterpretComponent"


def _native_component_holds(case: Case, answer: Answer) -> bool:
    given = case.input
    one_template = {
        "apps": ("Deployment", "ReplicaSet", "StatefulSet"),
        "batch": ("Job",),
        "": ("Pod",),
    }
    expected = given["kind"] in one_template.get(given["group"], ()) and given["version"] == "v1"
    return bool(answer["enabled"] == expected)


def _no_kind(case: Case, _answer: Answer) -> bool:
    obj = case.input.get("object", case.input.get("desired"))
    return isinstance(obj, dict) and not (obj.get("kind") and obj.get("apiVersion"))


def _token_secrets(case: Case, _answer: Answer) -> bool:
    obj = case.input.get("object") or {}
    return case.operation == "Prune" and obj.get("kind") == "ServiceAccount" and not case.failed


def _token_secrets_holds(case: Case, answer: Answer) -> bool:
    prefix = f"{case.input['object']['metadata']['name']}-token-"
    kept = [
        entry for entry in case.input["object"]["secrets"] if not entry["name"].startswith(prefix)
    ]
    rest = {key: value for key, value in case.expect["result"].items() if key != "secrets"}
    return same({**rest, "secrets": kept}, answer["result"])


def _unread_field(case: Case, answer: Answer) -> bool:
    return case.expect.get("error_kind") == "conversion" and "error" not in answer


def _unread_field_holds(case: Case, answer: Answer) -> bool:
    """Whether the answer is that for the object without one of its fields, so it was not read."""
    names = [name for name in ("object", "desired", "observed") if name in case.input]
    return any(
        _answers_alike(case, answer, name, path)
        for name in names
        for path in _paths(case.input[name])
    )


def _paths(value: Any, depth: int = 0) -> list[tuple[str, ...]]:
    if not isinstance(value, dict) or depth == 3:
        return []
    found: list[tuple[str, ...]] = []
    for key, item in value.items():
        found.append((key,))
        found.extend((key, *rest) for rest in _paths(item, depth + 1))
    return found


def _answers_alike(case: Case, answer: Answer, name: str, path: tuple[str, ...]) -> bool:
    without = copy.deepcopy(case.input)
    _remove(without[name], path)
    try:
        other = interpret(parse_operation(case.operation), without)
    except (InterpreterError, KeyError):
        return False
    ours = copy.deepcopy(answer)
    if isinstance(ours.get("result"), dict):
        _remove(ours["result"], path)
    return bool(ours == other)


def _remove(obj: dict[str, Any], path: tuple[str, ...]) -> None:
    for key in path[:-1]:
        obj = obj.get(key, {})
        if not isinstance(obj, dict):
            return
    obj.pop(path[-1], None)


RULES = (
    Rule(
        "missing kind",
        "an object that states no kind is an error: it is not known what it is",
        _no_kind,
        _is_invalid_object,
    ),
    Rule(
        "null status",
        "`status: null` means that there is no status, not that the object is broken",
        _null_status,
        lambda _case, answer: answer == {"status": None},
    ),
    Rule(
        "native components",
        "kinds with one pod template have one component for callers; the pipeline does not use it",
        _native_component,
        _native_component_holds,
    ),
    Rule(
        "count out of range",
        "a replica count outside 0..2^31-1 is an error; the recorded program cuts or takes it",
        _counts_out_of_range,
        _is_invalid_object,
    ),
    Rule(
        "quantity out of range",
        "an amount outside int64 is exact or an error; the recorded program wraps around",
        _quantity_overflows,
        _quantity_overflow_holds,
    ),
    Rule(
        "negative amount below nano",
        "a negative amount rounds away from zero and keeps its sign",
        _negative_below_nano,
        _negative_below_nano_holds,
    ),
    Rule(
        "sums beyond 32 bits",
        "sums of member counts are exact; the recorded program wraps around",
        _wraps,
        _wraps_holds,
    ),
    Rule(
        "token secrets",
        "every generated token secret is pruned; the recorded program skips one behind another",
        _token_secrets,
        _token_secrets_holds,
    ),
    Rule(
        "typed round trip",
        "the plain object is edited: no zero fields or null lists appear, no unknown field "
        "vanishes, quantities keep their text",
        _typed_applies,
        _typed_holds,
    ),
    Rule(
        "unread field",
        "only fields that an operation reads are checked; the recorded program converts all",
        _unread_field,
        _unread_field_holds,
    ),
)
