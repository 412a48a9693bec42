"""Cases of plugins: the format of scripts' cases, put to an interpreter with the plugins in it.

A case says what comes out where a plugin is installed: the plugin may ask the tiers below it, and
where it says "not mine" they answer. It fails when no plugin claims its operation and kind, so that
a native answer is never taken for the plugin's. Plugins run in strict mode.
"""

from __future__ import annotations

import functools
import unittest
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError, InvalidObject
from interpreter.facade import ResourceInterpreter
from interpreter.machinery.gvk import GVK, from_api_version
from interpreter.operations import OPERATIONS
from interpreter.settings import DEFAULTS, Settings
from interpreter.testing.cases import Case
from interpreter.testing.checking import Answer, answer_of, check
from interpreter.testing.discovery import find_cases
from interpreter.testing.report import Report
from interpreter.testing.runner import ask_interpreter, run
from interpreter.testing.suites import Rule, Suite


def strict_interpreter(
    plugins: Iterable[object], settings: Settings = DEFAULTS
) -> ResourceInterpreter:
    """An interpreter for tests of plugins.

    Everything about a plugin that is wrong is an error at once, and none is taken out for failing.

    Args:
        plugins: Plugin objects, names of installed plugins, and paths of files or folders.
        settings: Limits.

    Raises:
        ConfigurationError: A name is not installed, a path does not exist.
    """
    strict = replace(settings, strict_plugins=True, plugin_failures=0)
    return ResourceInterpreter(plugins=tuple(plugins), settings=strict)


def run_plugin_cases(
    *paths: str | Path, plugins: Iterable[object], settings: Settings = DEFAULTS
) -> Report:
    """Runs cases on plugins; a hook without a case is part of the report.

    Args:
        *paths: As :func:`~interpreter.testing.discovery.find_cases` takes them.
        plugins: As :func:`strict_interpreter` takes them.
        settings: Limits.

    Raises:
        ConfigurationError: There is no case, or a path or a name is wrong.
        PluginError: A plugin cannot be used.
    """
    make = functools.partial(strict_interpreter, tuple(plugins), settings)
    return run(plugin_suites(find_cases(*paths), make()), settings=settings, interpreter=make)


def plugin_suites(cases: Iterable[Case], interpreter: ResourceInterpreter) -> list[Suite]:
    """Suites by what plugins claim, and the cases whose object falls under it.

    Args:
        cases: The cases; those that nobody claims make suites of their own, where they fail.
        interpreter: An interpreter with the plugins; it is closed.

    Raises:
        PluginError: A plugin cannot be used.
    """
    with interpreter:
        rows = [row for row in interpreter.kinds() if row.implementation.tier == "plugin"]
    claims: dict[GVK, dict[Operation, Rule]] = {}
    for row in rows:
        hook = f"{row.implementation.plugin}: {row.implementation.handler}"
        claims.setdefault(row.gvk, {}).setdefault(row.operation, Rule(row.operation, hook=hook))
    pools: dict[GVK, list[Case]] = {claim: [] for claim in claims}
    strays: dict[str, list[Case]] = {}
    for case in cases:
        claim = _claim_of(case, claims)
        if claim is None:
            kind = "/".join(case.target) if case.target else case.file
            strays.setdefault(kind, []).append(case)
        else:
            pools[claim].append(case)
    return [
        *(_suite(str(claim), claims[claim], pool) for claim, pool in pools.items()),
        *(_suite(kind, {}, pool) for kind, pool in strays.items()),
    ]


def assert_case(case: Case, interpreter: ResourceInterpreter) -> None:
    """Puts a case to an interpreter.

    Args:
        case: One of :func:`~interpreter.testing.discovery.find_cases`.
        interpreter: Who is asked, such as :func:`strict_interpreter`.

    Raises:
        AssertionError: The answer is not what the case wants; the text says where they differ.
        unittest.SkipTest: The case is not to be run.
    """
    if case.problem is not None or case.operation is None:
        raise AssertionError(f"{case.where}: {case.problem or 'the case names no operation'}")
    if case.skip is not None:
        raise unittest.SkipTest(case.skip)
    try:
        answered = ask_interpreter(interpreter, case)
        answer = Answer(OPERATIONS[case.operation].show(answered), who="interpreter")
    except InterpreterError as error:
        answer = answer_of(error, who="interpreter")
    found = [line for one in check(case, answer) for line in (one.text, *one.diff)]
    if found:
        raise AssertionError("\n".join((f"{case.where}: {case.name}", *found)))


def _claim_of(case: Case, claims: dict[GVK, dict[Operation, Rule]]) -> GVK | None:
    """The most specific claim for a case; one without its operation only where no other is."""
    if case.target is None:
        return None
    try:
        gvk = from_api_version(*case.target)
    except InvalidObject:
        return None
    matching = [claim for claim in claims if claim.matches(gvk)]
    return min(
        matching,
        key=lambda claim: (case.operation not in claims[claim], claim.generality),
        default=None,
    )


def _suite(kind: str, rules: dict[Operation, Rule], cases: list[Case]) -> Suite:
    return Suite(
        kind=kind,
        place=", ".join(_plugins(rules)) or "no plugin",
        rules=rules,
        cases=tuple(cases),
        must_cover=frozenset(rules),
        of_plugins=True,
    )


def _plugins(rules: dict[Operation, Rule]) -> Iterator[str]:
    yield from dict.fromkeys(rule.hook.partition(":")[0] for rule in rules.values())
