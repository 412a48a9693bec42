"""Predicates of the rules in ``lua_differences.py``: when a rule speaks, and what ours must be."""

from __future__ import annotations

import copy
import re
from typing import Any

import lua_runners
from compare import same
from lua_agreement import arguments, lossy, recorded_and_own, walk
from recordings import Answer, Case

from interpreter import GVK, Operation
from interpreter.engines.native.table import handlers
from interpreter.errors import (
    InvalidCustomization,
    LuaScriptError,
    NoInterpreter,
)
from interpreter.machinery.unstructured import INT32_MAX

# --- Lossless -----------------------------------------------------------------------------------


def lossless_applies(case: Case, answer: Answer) -> bool:
    fields = recorded_and_own(case, answer)
    return fields is not None and all(same(lossy(a), lossy(b)) for a, b in fields)


def lossless_holds(case: Case, answer: Answer) -> bool:
    """Nulls, empties and large integers of ours come from the input, empties from a script too."""
    given = [entry for argument in arguments(case) for entry in walk(argument)]
    if "replica" in case.input:
        given.append(case.input["replica"])
    for wanted, got in recorded_and_own(case, answer) or ():
        # An answer that is an identity must be the input itself.
        source = case.input.get("script", "")
        if re.search(r"\(\s*(\w+)[^)]*\)\s*return \1 end\s*$", source) and case.operation in (
            "ReviseReplica",
            "Retain",
            "AggregateStatus",
        ):
            return got == arguments(case)[0]
        for entry in walk(got):
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
        for other in walk(wanted)
    )


# --- Words ---------------------------------------------------------------------------------------


def _texts_differ(case: Case, answer: Answer) -> list[tuple[str, str]] | None:
    """The texts in which two answers differ; None when they differ in anything else."""
    fields = recorded_and_own(case, answer)
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


def words_applies(case: Case, answer: Answer) -> bool:
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


def words_hold(case: Case, answer: Answer) -> bool:
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


def count_applies(case: Case, answer: Answer) -> bool:
    return bool(_counts(case)) and not case.failed and "error" in answer


def count_holds(case: Case, answer: Answer) -> bool:
    error = answer["error"]
    if not isinstance(error, LuaScriptError) or error.line is None:
        return False
    value = error.value
    outside = not isinstance(value, (int, float)) or not 0 <= value <= INT32_MAX or value % 1 != 0
    return outside and error.script == "case/rule"


def dependency_applies(case: Case, _answer: Answer) -> bool:
    return case.operation == "GetDependencies" and not case.failed


def dependency_holds(case: Case, answer: Answer) -> bool:
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


def shared_applies(case: Case, answer: Answer) -> bool:
    return "recursively nested" in case.expect.get("error", "") and "error" not in answer


def shared_holds(case: Case, answer: Answer) -> bool:
    # A result without an error is finite JSON: had it contained itself, it would have been refused.
    return any(value not in (None, {}, []) for value in answer.values())


def bad_text_applies(case: Case, answer: Answer) -> bool:
    return (
        not case.failed
        and "error" in answer
        and any(isinstance(entry, str) and "\ufffd" in entry for entry in walk(case.expect))
    )


def bad_text_holds(_case: Case, answer: Answer) -> bool:
    return isinstance(answer["error"], LuaScriptError) and "UTF-8" in str(answer["error"])


def package_applies(case: Case, answer: Answer) -> bool:
    return "package" in case.input.get("script", "")


def package_holds(case: Case, answer: Answer) -> bool:
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


def restored_applies(case: Case, _answer: Answer) -> bool:
    return (
        re.search(r"string\.(gsub|rep) is not supported", case.expect.get("error", "")) is not None
    )


def nothing_applies(case: Case, answer: Answer) -> bool:
    return case.operation == "ReflectStatus" and case.expect.get("error", "").endswith(
        "but got nil"
    )


def huge_integer_applies(case: Case, answer: Answer) -> bool:
    return any(
        isinstance(entry, int) and not -(2**63) <= entry < 2**64
        for argument in arguments(case)
        for entry in walk(argument)
    )


def empty_path_applies(case: Case, answer: Answer) -> bool:
    quoted = case.expect.get("error_kind") == "decode" and "path_quirk" in case.tags
    return (quoted or case.expect.get("error_kind") == "empty_table") and "error" not in answer


def empty_path_holds(case: Case, answer: Answer) -> bool:
    """The empty table is kept where the input has one, else left out: no other change."""
    result = answer.get("result", answer.get("status"))
    return _lossless_values(case, result)


def _lossless_values(case: Case, result: Any) -> bool:
    given = [entry for argument in arguments(case) for entry in walk(argument)]
    return all(
        entry in given or "{}" in case.input["script"]
        for entry in walk(result)
        if entry in ({}, [])
    )


def special_path_applies(case: Case, answer: Answer) -> bool:
    return "path_quirk" in case.tags and not case.failed and "error" not in answer


def special_path_holds(case: Case, answer: Answer) -> bool:
    fields = recorded_and_own(case, answer) or []
    return all(same(lossy(wanted), lossy(got)) for wanted, got in fields) and all(
        _lossless_values(case, got) for _, got in fields
    )


def components_nil_applies(case: Case, _answer: Answer) -> bool:
    return case.operation == "GetComponents" and case.expect.get("components", 0) is None


#: Parts of a result that the reference converts to types nobody here looks into.
_PASSED_ON = ("hardNodeAffinity", "tolerations")


def passed_on_applies(case: Case, answer: Answer) -> bool:
    return case.expect.get("error_kind") == "decode" and "error" not in answer


def passed_on_holds(case: Case, answer: Answer) -> bool:
    """The field that was refused lies in a part that is passed on to the scheduler as it is."""
    text = case.expect["error"]
    return any(f".{part}" in text for part in _PASSED_ON) and any(
        part in repr(answer) for part in _PASSED_ON
    )


# --- Several calls -------------------------------------------------------------------------------


def leak_applies(case: Case, _answer: Answer) -> bool:
    """Scripts of the case set globals: what a later one answers tells whether they leak."""
    return "shared_state" in case.tags or (
        case.operation == "Merge"
        and any(_sets_globals(item) for item in case.input["customizations"])
    )


def _sets_globals(item: dict[str, Any]) -> bool:
    scripts = [rule.get("luaScript", "") for rule in item["customizations"].values()]
    return any(re.match(r"\s*(?!local|function)\w+ = ", script) for script in scripts)


def leak_holds(case: Case, answer: Answer) -> bool:
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


def target_applies(case: Case, answer: Answer) -> bool:
    return case.operation == "Merge" and isinstance(answer.get("error"), InvalidCustomization)


def target_holds(case: Case, answer: Answer) -> bool:
    return any(
        not item["target"].get("kind")
        or not re.fullmatch(r"[^/]+(/[^/]+)?", item["target"].get("apiVersion", ""))
        for item in case.input["customizations"]
    )


def native_component(case: Case, answer: Answer) -> bool:
    if case.operation == "HookEnabled":
        return case.input["hook"] == "InterpretComponent"
    return case.operation == "GetComponents" and "not implemented yet" in case.expect.get(
        "error", ""
    )


def native_component_holds(case: Case, answer: Answer) -> bool:
    if case.operation == "HookEnabled":
        asked = GVK(case.input["group"], case.input["version"], case.input["kind"])
        return answer["enabled"] is ((asked, Operation.GET_COMPONENTS) in handlers())
    return "components" in answer or "error" in answer


def bundled_applies(case: Case, answer: Answer) -> bool:
    """Kinds that neither the customizations of the case nor the native tier know.

    Bundled scripts answered there.
    """
    native = {(gvk.group, gvk.kind) for gvk, _ in handlers()}
    if case.operation == "HookEnabled":
        return (case.input["group"], case.input["kind"]) not in native
    obj = case.input.get("object", case.input.get("desired")) or {}
    group = str(obj.get("apiVersion", "")).rpartition("/")[0]
    return (group, obj.get("kind")) not in native


def bundled_holds(case: Case, answer: Answer) -> bool:
    if case.operation == "HookEnabled":
        return answer == {"enabled": False} and case.expect == {"enabled": True}
    # Status reflection and its like fall to the native rule for any kind.
    return isinstance(answer.get("error"), NoInterpreter) or case.operation == "ReflectStatus"


def typed_round_trip(case: Case, answer: Answer) -> bool:
    return case.operation in ("AggregateStatus", "Retain", "ReflectStatus") and "result" in answer


def typed_holds(case: Case, answer: Answer) -> bool:
    """As in ``differences.py``: the plain object is edited, no zero field appears."""
    return same(_without_zero(case.expect["result"]), _without_zero(answer["result"]))


def _without_zero(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _without_zero(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, {}, [], "", 0)}
    return [_without_zero(item) for item in value] if isinstance(value, list) else value
