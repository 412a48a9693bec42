"""Where the Lua tier answers otherwise than the recorded program, on purpose.

Each difference is a rule over (case, our answer). ``applies`` says whether the rule speaks about
the case, ``holds`` what our answer
must be instead; a rule that applies without holding is no excuse.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import lua_runners
import stock_lua
from compare import same
from lua_runners import Answer
from recordings import Case

from interpreter.engines.native.table import handlers
from interpreter.errors import (
    InvalidCustomization,
    InvalidObject,
    LuaScriptError,
    NoInterpreter,
)
from interpreter.machinery.unstructured import INT32_MAX


@dataclass(frozen=True, slots=True)
class Rule:
    """One deliberate difference."""

    name: str
    reason: str
    applies: Callable[[Case, Answer], bool]
    holds: Callable[[Case, Answer], bool]


def agrees(case: Case, answer: Answer) -> bool:
    """Whether all recorded fields are ours too.

    ``raw`` repeats a result as text and is not compared.
    """
    for several in ("steps", "results"):
        if several in case.expect:
            return several in answer and all(
                fields_agree(wanted, got)
                for wanted, got in zip(case.expect[several], answer[several], strict=True)
            )
    return fields_agree(case.expect, answer)


def fields_agree(wanted: dict[str, Any], got: Answer) -> bool:
    """Equality of one recorded answer and ours; errors agree with errors."""
    if "error" in wanted or "error" in got:
        return "error" in wanted and "error" in got
    return all(same(value, got.get(name)) for name, value in wanted.items() if name != "raw")


def explain(case: Case, answer: Answer) -> Rule | None:
    """The rule that covers a case on which we differ.

    None when there is none, or it does not hold.
    """
    if case.operation in ("Sequence", "Merge"):
        return _explain_parts(case, answer)
    for rule in RULES:
        if rule.applies(case, answer) and rule.holds(case, answer):
            return rule
    return None


def _explain_parts(case: Case, answer: Answer) -> Rule | None:
    """A case of several calls.

    Each that differs must be covered by a rule; the last rule is named.
    """
    for rule in WHOLE_RULES:
        if rule.applies(case, answer) and rule.holds(case, answer):
            return rule
    if not isinstance(answer.get("results", answer.get("steps")), list):
        return None
    found = None
    for part, got in _parts(case, answer):
        if fields_agree(part.expect, got):
            continue
        rule = next(
            (
                rule
                for rule in (*RULES, *PART_RULES)
                if rule.applies(part, got) and rule.holds(part, got)
            ),
            None,
        )
        if rule is None:
            return None
        found = rule
    return found


def _parts(case: Case, answer: Answer) -> Iterator[tuple[Case, Answer]]:
    given = case.input.get("steps", case.input.get("calls"))
    wanted = case.expect.get("steps", case.expect.get("results"))
    got = answer.get("steps", answer.get("results"))
    for call, expect, ours in zip(given, wanted, got, strict=True):
        yield Case(case.id, call["operation"], call, expect, case.tags), ours


# --- Shapes --------------------------------------------------------------------------------------


def _fields(case: Case, answer: Answer) -> list[tuple[Any, Any]] | None:
    """Recorded and own results side by side; None when one of them is an error."""
    if case.failed or "error" in answer:
        return None
    return [(value, answer.get(name)) for name, value in case.expect.items() if name != "raw"]


def _arguments(case: Case) -> list[Any]:
    return [
        case.input[name]
        for name in ("object", "desired", "observed", "items")
        if name in case.input
    ]


def _walk(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict):
        for item in value.values():
            yield from _walk(item)
    elif isinstance(value, list):
        for item in value:
            yield from _walk(item)


def _lossy(value: Any) -> Any:
    """What the recorded program keeps of a value: no null, no empty table, doubles only."""
    if isinstance(value, dict):
        kept = {key: _lossy(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, {}, [])}
    if isinstance(value, list):
        return [item for item in map(_lossy, value) if item not in (None, {}, [])]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53:
        return float(value)
    return value


def _lossless_applies(case: Case, answer: Answer) -> bool:
    fields = _fields(case, answer)
    return fields is not None and all(same(_lossy(a), _lossy(b)) for a, b in fields)


def _lossless_holds(case: Case, answer: Answer) -> bool:
    """Nulls, empties and large integers of ours come from the input, empties from a script too."""
    given = [entry for argument in _arguments(case) for entry in _walk(argument)]
    if "replica" in case.input:
        given.append(case.input["replica"])
    for wanted, got in _fields(case, answer) or ():
        # An answer that is an identity must be the input itself.
        source = case.input.get("script", "")
        if re.search(r"\(\s*(\w+)[^)]*\)\s*return \1 end\s*$", source) and case.operation in (
            "ReviseReplica",
            "Retain",
            "AggregateStatus",
        ):
            return got == _arguments(case)[0]
        for entry in _walk(got):
            special = entry in (None, {}, []) and not isinstance(entry, bool) and entry != 0
            large = isinstance(entry, int) and abs(entry) >= 2**53
            if large and entry not in given and not _computed(entry, wanted):
                return False
            came_in = any(type(entry) is type(other) and entry == other for other in given)
            if special and not came_in and (entry is None or "{}" not in source):
                return False
    return True


def _computed(entry: int, wanted: Any) -> bool:
    """A number the script made: it is the double that was recorded, written in full."""
    return any(
        isinstance(other, (int, float))
        and not isinstance(other, bool)
        and float(other) == float(entry)
        for other in _walk(wanted)
    )


# --- Plain Lua -----------------------------------------------------------------------------------

_UNRUNNABLE = frozenset({"slow", "shared_state"})


def _is_plain(case: Case, _answer: Answer) -> bool:
    return (
        case.operation == "ReflectStatus" and "script" in case.input and not case.tags & _UNRUNNABLE
    )


def _plain_holds(case: Case, answer: Answer) -> bool:
    for outcome in stock_lua.outcomes(case.input["script"], case.input["object"]):
        if outcome is stock_lua.FAILED:
            if isinstance(answer.get("error"), LuaScriptError):
                return True
        elif "error" not in answer and _near(_lossy(outcome), _lossy(answer["status"])):
            return True
    return False


def _near(wanted: Any, got: Any) -> bool:
    """Equality, but for the current time and addresses in texts."""
    if isinstance(wanted, dict) and isinstance(got, dict) and wanted.keys() == got.keys():
        return all(_near(wanted[key], got[key]) for key in wanted)
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        return all(_near(*pair) for pair in zip(wanted, got, strict=True))
    if isinstance(wanted, int) and isinstance(got, int) and wanted > 1_700_000_000:
        return abs(wanted - got) < 10
    if isinstance(wanted, str) and isinstance(got, str):
        return _plain_text(wanted) == _plain_text(got)
    return same(wanted, got)


def _plain_text(text: str) -> str:
    """A text without what legitimately differs between two runs.

    Addresses, names of local functions.
    """
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    return re.sub(r"to '\?'|to '\w+'|to <[^>]*>", "to '?'", text)


# --- Words ---------------------------------------------------------------------------------------


def _texts_differ(case: Case, answer: Answer) -> list[tuple[str, str]] | None:
    """The texts in which two answers differ; None when they differ in anything else."""
    fields = _fields(case, answer)
    if fields is None:
        return None
    found: list[tuple[str, str]] = []
    return found if all(_collect(wanted, got, found) for wanted, got in fields) else None


def _collect(wanted: Any, got: Any, found: list[tuple[str, str]]) -> bool:
    if isinstance(wanted, dict) and isinstance(got, dict) and wanted.keys() == got.keys():
        return all(_collect(wanted[key], got[key], found) for key in wanted)
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        return all(_collect(*pair, found) for pair in zip(wanted, got, strict=True))
    if same(wanted, got):
        return True
    if isinstance(wanted, str) and isinstance(got, str):
        found.append((wanted, got))
        return True
    return False


def _words_applies(case: Case, answer: Answer) -> bool:
    texts = _texts_differ(case, answer)
    return bool(texts) and "pcall" in case.input.get("script", "")


#: Recorded text of an error to what ours says.
_WORDS = (
    (r"call function (\w+) is not supported", r"function \1 is not available to scripts"),
    (r"The Lua function ([\w.]+) is not supported", r"function \1 is not available to scripts"),
    (r"module (\S+) not found", r"module \1 not found"),
    (r"cannot parse '(.*?)'", r"is not a quantity|has the unknown suffix"),
    (r"quantities must match", r"is not a quantity|has the unknown suffix"),
    (r"(\w+) only accepts (?:one|two) argument", r"\w+ only accepts (?:one|two) argument"),
    (r"bad argument #(\d) to", r"bad argument #\1 to"),
    (r"fail to convert lua value", r": "),
    (r"unexpectedly returned a negative value", r"must not be negative"),
)


def _words_hold(case: Case, answer: Answer) -> bool:
    return all(_same_meaning(*pair) for pair in _texts_differ(case, answer) or ())


def _same_meaning(wanted: str, got: str) -> bool:
    for recorded, ours in _WORDS:
        found = re.search(recorded, wanted)
        if found is not None:
            expected = ours
            for number, group in enumerate(found.groups(), 1):
                expected = expected.replace(f"\\{number}", re.escape(group))
            return re.search(expected, got) is not None
    return False


# --- Checks --------------------------------------------------------------------------------------


def _counts(case: Case) -> list[Any]:
    if case.operation == "GetReplicas":
        return [case.expect.get("replicas")]
    if case.operation == "GetComponents":
        return [item["replicas"] for item in case.expect.get("components") or ()]
    return []


def _count_applies(case: Case, answer: Answer) -> bool:
    return bool(_counts(case)) and not case.failed and "error" in answer


def _count_holds(case: Case, answer: Answer) -> bool:
    error = answer["error"]
    if not isinstance(error, LuaScriptError) or error.line is None:
        return False
    value = error.value
    outside = not isinstance(value, (int, float)) or not 0 <= value <= INT32_MAX or value % 1 != 0
    return outside and error.script == "case/rule"


def _dependency_applies(case: Case, _answer: Answer) -> bool:
    return case.operation == "GetDependencies" and not case.failed


def _dependency_holds(case: Case, answer: Answer) -> bool:
    recorded = case.expect["dependencies"] or []
    if "error" in answer:
        return isinstance(answer["error"], LuaScriptError) and any(
            not entry.get("apiVersion")
            or not entry.get("kind")
            or not (entry.get("name") or entry.get("labelSelector"))
            or entry.get("labelSelector")
            for entry in recorded
        )
    unique = [entry for index, entry in enumerate(recorded) if entry not in recorded[:index]]
    unique.sort(
        key=lambda entry: tuple(
            entry.get(f, "") for f in ("apiVersion", "kind", "namespace", "name")
        )
    )
    return same(unique, answer["dependencies"])


def _shared_applies(case: Case, answer: Answer) -> bool:
    return "recursively nested" in case.expect.get("error", "") and "error" not in answer


def _shared_holds(case: Case, answer: Answer) -> bool:
    # A result without an error is finite JSON: had it contained itself, it would have been refused.
    return any(value not in (None, {}, []) for value in answer.values())


def _bad_text_applies(case: Case, answer: Answer) -> bool:
    return (
        not case.failed
        and "error" in answer
        and any(isinstance(entry, str) and "\ufffd" in entry for entry in _walk(case.expect))
    )


def _bad_text_holds(_case: Case, answer: Answer) -> bool:
    return isinstance(answer["error"], LuaScriptError) and "UTF-8" in str(answer["error"])


def _package_applies(case: Case, answer: Answer) -> bool:
    return "package" in case.input.get("script", "")


def _package_holds(case: Case, answer: Answer) -> bool:
    """Used, the table is nil to our scripts.

    Asked for its type, it is nil where theirs is a table.
    """
    if "error" in answer:
        return "package" in str(answer["error"]) and "nil value" in str(answer["error"])
    wanted = copy.deepcopy(case.expect.get("status"))
    if not isinstance(wanted, dict):
        return False
    wanted["package"] = "nil"
    return same(wanted, answer["status"])


def _restored_applies(case: Case, _answer: Answer) -> bool:
    return (
        re.search(r"string\.(gsub|rep) is not supported", case.expect.get("error", "")) is not None
    )


def _nothing_applies(case: Case, answer: Answer) -> bool:
    return case.operation == "ReflectStatus" and case.expect.get("error", "").endswith(
        "but got nil"
    )


def _huge_integer_applies(case: Case, answer: Answer) -> bool:
    return any(
        isinstance(entry, int) and not -(2**63) <= entry < 2**64
        for argument in _arguments(case)
        for entry in _walk(argument)
    )


def _empty_path_applies(case: Case, answer: Answer) -> bool:
    quoted = case.expect.get("error_kind") == "decode" and "path_quirk" in case.tags
    return (quoted or case.expect.get("error_kind") == "empty_table") and "error" not in answer


def _empty_path_holds(case: Case, answer: Answer) -> bool:
    """The empty table is kept where the input has one, else left out: no other change."""
    result = answer.get("result", answer.get("status"))
    return _lossless_values(case, result)


def _lossless_values(case: Case, result: Any) -> bool:
    given = [entry for argument in _arguments(case) for entry in _walk(argument)]
    return all(
        entry in given or "{}" in case.input["script"]
        for entry in _walk(result)
        if entry in ({}, [])
    )


def _special_path_applies(case: Case, answer: Answer) -> bool:
    return "path_quirk" in case.tags and not case.failed and "error" not in answer


def _special_path_holds(case: Case, answer: Answer) -> bool:
    fields = _fields(case, answer) or []
    return all(same(_lossy(wanted), _lossy(got)) for wanted, got in fields) and all(
        _lossless_values(case, got) for _, got in fields
    )


def _components_nil_applies(case: Case, _answer: Answer) -> bool:
    return case.operation == "GetComponents" and case.expect.get("components", 0) is None


# --- kube ----------------------------------------------------------------------------------------


def _kube_numbers_applies(case: Case, _answer: Answer) -> bool:
    return (
        case.operation == "Kube"
        and case.input["function"] == "resourceAdd"
        and case.failed
        and any(type(item) in (int, float) for item in case.input["args"])
        and all(item is None or type(item) in (int, float, str) for item in case.input["args"])
    )


def _kube_unread_applies(case: Case, answer: Answer) -> bool:
    return (
        case.operation == "Kube"
        and "fail to convert lua value" in case.expect.get("error", "")
        and "error" not in answer
    )


def _kube_unread_holds(case: Case, answer: Answer) -> bool:
    """Without the field that the recorded program stumbles over we answer the same."""
    found = re.search(r"Go struct field (\w+)\.([\w.]+) of type", case.expect["error"])
    if found is None:
        return False
    other = copy.deepcopy(case.input)
    _drop(other["args"][0], found.group(2).split("."))
    return lua_runners.run(Case(case.id, "Kube", other, {})) == answer


def _drop(value: Any, path: list[str]) -> None:
    if isinstance(value, list):
        for item in value:
            _drop(item, path)
    elif isinstance(value, dict):
        if len(path) == 1:
            value.pop(path[0], None)
        elif path[0] in value:
            _drop(value[path[0]], path[1:])


def _kube_range_applies(case: Case, answer: Answer) -> bool:
    return case.operation == "Kube" and not case.failed and "error" in answer


# --- Several calls -------------------------------------------------------------------------------


def _leak_applies(case: Case, _answer: Answer) -> bool:
    """Scripts of the case set globals: what a later one answers tells whether they leak."""
    return "shared_state" in case.tags or (
        case.operation == "Merge"
        and any(_sets_globals(item) for item in case.input["customizations"])
    )


def _sets_globals(item: dict[str, Any]) -> bool:
    scripts = [rule.get("luaScript", "") for rule in item["customizations"].values()]
    return any(re.match(r"\s*(?!local|function)\w+ = ", script) for script in scripts)


def _leak_holds(case: Case, answer: Answer) -> bool:
    """Each call answers as it does alone, on an engine that never ran anything."""
    if case.operation == "Merge":
        calls = case.input["calls"]
        for call, got in zip(calls, answer["results"], strict=True):
            alone = Case(case.id, "Merge", {**case.input, "calls": [call]}, {})
            if not _equal(lua_runners.run(alone)["results"][0], got):
                return False
        return True
    with_fresh = []
    for step in case.input["steps"]:
        alone = Case(case.id, "Sequence", {"steps": [step]}, {})
        with_fresh.append(lua_runners.run(alone)["steps"][0])
    return all(_equal(a, b) for a, b in zip(with_fresh, answer["steps"], strict=True))


def _equal(first: Answer, second: Answer) -> bool:
    if "error" in first or "error" in second:
        return type(first.get("error")) is type(second.get("error"))
    return first == second


def _target_applies(case: Case, answer: Answer) -> bool:
    return case.operation == "Merge" and isinstance(answer.get("error"), InvalidCustomization)


def _target_holds(case: Case, answer: Answer) -> bool:
    return any(
        not item["target"].get("kind")
        or not re.fullmatch(r"[^/]+(/[^/]+)?", item["target"].get("apiVersion", ""))
        for item in case.input["customizations"]
    )


def _native_component(case: Case, answer: Answer) -> bool:
    return case.operation == "GetComponents" and "not implemented yet" in case.expect.get(
        "error", ""
    )


def _bundled_applies(case: Case, answer: Answer) -> bool:
    """Kinds that neither the customizations of the case nor the native tier know.

    Bundled scripts answered there.
    """
    native = {(gvk.group, gvk.kind) for gvk, _ in handlers()}
    if case.operation == "HookEnabled":
        return (case.input["group"], case.input["kind"]) not in native
    obj = case.input.get("object", case.input.get("desired")) or {}
    group = str(obj.get("apiVersion", "")).rpartition("/")[0]
    return (group, obj.get("kind")) not in native


def _bundled_holds(case: Case, answer: Answer) -> bool:
    if case.operation == "HookEnabled":
        return answer == {"enabled": False} and case.expect == {"enabled": True}
    # Status reflection and its like fall to the native rule for any kind.
    return isinstance(answer.get("error"), NoInterpreter) or case.operation == "ReflectStatus"


def _typed_round_trip(case: Case, answer: Answer) -> bool:
    return case.operation in ("AggregateStatus", "Retain", "ReflectStatus") and "result" in answer


def _typed_holds(case: Case, answer: Answer) -> bool:
    """As in ``differences.py``: the plain object is edited, no zero field appears."""
    return same(_without_zero(case.expect["result"]), _without_zero(answer["result"]))


def _without_zero(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _without_zero(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, {}, [], "", 0)}
    return [_without_zero(item) for item in value] if isinstance(value, list) else value


RULES: tuple[Rule, ...] = (
    Rule(
        "lossless",
        "empty lists and maps, nulls and integers beyond 2^53 come back as they went in; "
        "the recorded program drops or rounds them",
        _lossless_applies,
        _lossless_holds,
    ),
    Rule(
        "empty table under any key",
        "an empty table under a key with special characters is an empty table like any other",
        _empty_path_applies,
        _empty_path_holds,
    ),
    Rule(
        "empty table under a quoted path",
        "which kind an empty table has does not depend on the characters of its key",
        _special_path_applies,
        _special_path_holds,
    ),
    Rule(
        "integers beyond 64 bits",
        "Kubernetes integers end at 64 bits; a longer one is refused, not rounded",
        _huge_integer_applies,
        lambda _case, answer: isinstance(answer.get("error"), InvalidObject),
    ),
    Rule(
        "string.gsub and string.rep",
        "both exist, within bounds",
        _restored_applies,
        lambda case, answer: "error" not in answer and _plain_holds(case, answer),
    ),
    Rule(
        "no package table",
        "scripts have no table of loaded packages: it is the way to other scripts' modules",
        _package_applies,
        _package_holds,
    ),
    Rule(
        "nothing to report",
        "a nil status means that there is nothing to report",
        _nothing_applies,
        lambda _case, answer: answer == {"status": None},
    ),
    Rule(
        "count out of range",
        "a replica count is an integer in 0..2^31-1; the recorded program cuts or wraps it",
        _count_applies,
        _count_holds,
    ),
    Rule(
        "no components",
        "no component rule result is an empty list, as callers expect a list",
        _components_nil_applies,
        lambda _case, answer: answer == {"components": []},
    ),
    Rule(
        "dependencies are checked and sorted",
        "every dependency names its kind and what to look for; each appears once, in one order",
        _dependency_applies,
        _dependency_holds,
    ),
    Rule(
        "shared tables",
        "a table reached twice is written twice; only one that contains itself is an error",
        _shared_applies,
        _shared_holds,
    ),
    Rule(
        "invalid UTF-8",
        "a text that is no UTF-8 cannot be JSON; it is an error that names the field",
        _bad_text_applies,
        _bad_text_holds,
    ),
    Rule(
        "words of errors",
        "an error that a script caught has our words, or those of plain Lua",
        _words_applies,
        lambda case, answer: _words_hold(case, answer) or _plain_holds(case, answer),
    ),
    Rule(
        "plain Lua",
        "library functions, number texts and coercions are those of Lua 5.1 (LuaJIT)",
        _is_plain,
        _plain_holds,
    ),
    Rule(
        "kube.resourceAdd of numbers",
        "numbers are amounts too",
        _kube_numbers_applies,
        lambda _case, answer: isinstance(answer.get("result"), str),
    ),
    Rule(
        "fields that are not read",
        "only fields that a kube function reads are checked; the recorded program converts all",
        _kube_unread_applies,
        _kube_unread_holds,
    ),
    Rule(
        "amount out of range",
        "an amount beyond 64 bits is an error; the recorded program drops or wraps it",
        _kube_range_applies,
        lambda _case, answer: "64-bit range" in str(answer["error"]),
    ),
)

#: Rules for single calls inside a sequence or a chain.
PART_RULES: tuple[Rule, ...] = (
    Rule(
        "native components",
        "kinds with one pod template have one component for callers",
        _native_component,
        lambda _case, answer: "components" in answer or "error" in answer,
    ),
    Rule(
        "bundled scripts",
        "kinds of bundled scripts belong to another tier, which this run does not load",
        _bundled_applies,
        _bundled_holds,
    ),
    Rule(
        "typed round trip",
        "the plain object is edited; the recorded program converts it to a typed form and back",
        _typed_round_trip,
        _typed_holds,
    ),
)

#: Rules for a case of several calls as a whole.
WHOLE_RULES: tuple[Rule, ...] = (
    Rule(
        "clean state",
        "no state survives a call: every call answers as it does alone",
        _leak_applies,
        _leak_holds,
    ),
    Rule(
        "unusable target",
        "a document whose target cannot match any object is refused when it is read",
        _target_applies,
        _target_holds,
    ),
)
