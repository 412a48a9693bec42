"""Where the Lua tier answers otherwise than the recorded program, on purpose.

Each difference is a rule over (case, our answer). ``applies`` says whether the rule speaks about
the case, ``holds`` what our answer must be instead; a rule that applies without holding is no
excuse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import lua_kube_rules as kube_rules
import lua_rules as rules
import stock_lua
from lua_agreement import fields_agree
from lua_runners import Answer
from recordings import Case

from interpreter.errors import InvalidObject


@dataclass(frozen=True, slots=True)
class Rule:
    """One deliberate difference."""

    name: str
    reason: str
    applies: Callable[[Case, Answer], bool]
    holds: Callable[[Case, Answer], bool]


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


RULES: tuple[Rule, ...] = (
    Rule(
        "lossless",
        "empty lists and maps, nulls and integers beyond 2^53 come back as they went in; "
        "the recorded program drops or rounds them",
        rules.lossless_applies,
        rules.lossless_holds,
    ),
    Rule(
        "empty table under any key",
        "an empty table under a key with special characters is an empty table like any other",
        rules.empty_path_applies,
        rules.empty_path_holds,
    ),
    Rule(
        "empty table under a quoted path",
        "which kind an empty table has does not depend on the characters of its key",
        rules.special_path_applies,
        rules.special_path_holds,
    ),
    Rule(
        "integers beyond 64 bits",
        "Kubernetes integers end at 64 bits; a longer one is refused, not rounded",
        rules.huge_integer_applies,
        lambda _case, answer: isinstance(answer.get("error"), InvalidObject),
    ),
    Rule(
        "string.gsub and string.rep",
        "both exist, within bounds",
        rules.restored_applies,
        lambda case, answer: "error" not in answer and stock_lua.plain_holds(case, answer),
    ),
    Rule(
        "no package table",
        "scripts have no table of loaded packages: it is the way to other scripts' modules",
        rules.package_applies,
        rules.package_holds,
    ),
    Rule(
        "nothing to report",
        "a nil status means that there is nothing to report",
        rules.nothing_applies,
        lambda _case, answer: answer == {"status": None},
    ),
    Rule(
        "count out of range",
        "a replica count is an integer in 0..2^31-1; the recorded program cuts or wraps it",
        rules.count_applies,
        rules.count_holds,
    ),
    Rule(
        "no components",
        "no component rule result is an empty list, as callers expect a list",
        rules.components_nil_applies,
        lambda _case, answer: answer == {"components": []},
    ),
    Rule(
        "dependencies are checked and sorted",
        "every dependency names its kind and what to look for; each appears once, in one order",
        rules.dependency_applies,
        rules.dependency_holds,
    ),
    Rule(
        "shared tables",
        "a table reached twice is written twice; only one that contains itself is an error",
        rules.shared_applies,
        rules.shared_holds,
    ),
    Rule(
        "invalid UTF-8",
        "a text that is no UTF-8 cannot be JSON; it is an error that names the field",
        rules.bad_text_applies,
        rules.bad_text_holds,
    ),
    Rule(
        "words of errors",
        "an error that a script caught has our words, or those of plain Lua",
        rules.words_applies,
        lambda case, answer: rules.words_hold(case, answer) or stock_lua.plain_holds(case, answer),
    ),
    Rule(
        "plain Lua",
        "library functions, number texts and coercions are those of Lua 5.1 (LuaJIT)",
        stock_lua.is_plain,
        stock_lua.plain_holds,
    ),
    Rule(
        "kube.resourceAdd of numbers",
        "numbers are amounts too",
        kube_rules.kube_numbers_applies,
        lambda _case, answer: isinstance(answer.get("result"), str),
    ),
    Rule(
        "fields that are not read",
        "only fields that a kube function reads are checked; the recorded program converts all",
        kube_rules.kube_unread_applies,
        kube_rules.kube_unread_holds,
    ),
    Rule(
        "node constraints are passed on",
        "node affinity and tolerations of a result are the scheduler's to check, not the engine's",
        rules.passed_on_applies,
        rules.passed_on_holds,
    ),
    Rule(
        "amount out of range",
        "an amount beyond 64 bits is an error; the recorded program drops or wraps it",
        kube_rules.kube_range_applies,
        lambda _case, answer: "64-bit range" in str(answer["error"]),
    ),
)

#: Rules for single calls inside a sequence or a chain.
PART_RULES: tuple[Rule, ...] = (
    Rule(
        "native components",
        "kinds with one pod template have one component for callers",
        rules.native_component,
        rules.native_component_holds,
    ),
    Rule(
        "bundled scripts",
        "kinds of bundled scripts belong to another tier, which this run does not load",
        rules.bundled_applies,
        rules.bundled_holds,
    ),
    Rule(
        "typed round trip",
        "the plain object is edited; the recorded program converts it to a typed form and back",
        rules.typed_round_trip,
        rules.typed_holds,
    ),
)

#: Rules for a case of several calls as a whole.
WHOLE_RULES: tuple[Rule, ...] = (
    Rule(
        "clean state",
        "no state survives a call: every call answers as it does alone",
        rules.leak_applies,
        rules.leak_holds,
    ),
    Rule(
        "unusable target",
        "a document whose target cannot match any object is refused when it is read",
        rules.target_applies,
        rules.target_holds,
    ),
)
