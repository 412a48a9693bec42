"""Running cases, one after the other or on several processes; results have the same order."""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from interpreter.api.context import HookContext
from interpreter.errors import ConfigurationError, EngineError, InterpreterError
from interpreter.operations import OPERATIONS
from interpreter.settings import DEFAULTS, Settings
from interpreter.testing.cases import Case
from interpreter.testing.checking import Answer, Mismatch, answer_of, check
from interpreter.testing.coverage import key_of
from interpreter.testing.filters import Filter, everything
from interpreter.testing.report import Outcome, Report
from interpreter.testing.suites import Rule, ScriptFile, Suite

if TYPE_CHECKING:
    from interpreter.engines.lua.engine import LuaEngine
    from interpreter.facade import ResourceInterpreter

    _Make = Callable[[], ResourceInterpreter]


@dataclass(frozen=True, slots=True)
class _Task:
    suite: str
    place: str
    case: Case
    rule: Rule | None
    coverage: bool
    of_plugins: bool


def run(
    suites: Sequence[Suite],
    *,
    chosen: Filter = everything,
    stop_at_failure: bool = False,
    coverage: bool = False,
    processes: int = 1,
    settings: Settings = DEFAULTS,
    interpreter: Callable[[], ResourceInterpreter] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Runs the cases of suites.

    Args:
        suites: What ``discover`` found.
        chosen: Which cases to run, by a text of kind, operation and name.
        stop_at_failure: Whether to end at the first case that fails.
        coverage: Whether to record the executed lines (each case runs once more for that).
        processes: Worker processes; 1 runs everything in this one.
        settings: Limits of the scripts.
        interpreter: Makes what plugins are asked through; with several processes it has to be
            picklable.
        progress: Called with the number of finished cases and of all, after each case.

    Returns:
        The outcomes in the order of the suites and cases, however many processes there are.
    """
    tasks = [
        _Task(suite.kind, suite.place, case, _rule_of(suite, case), coverage, suite.of_plugins)
        for suite in suites
        for case in suite.cases
        if chosen(f"{suite.kind} {case.operation or ''} {case.name}")
    ]
    started = time.perf_counter()
    outcomes: list[Outcome] = []
    asked = (settings, interpreter)
    results = _in_turn(tasks, *asked) if processes <= 1 else _in_pool(tasks, asked, processes)
    for outcome in results:
        outcomes.append(outcome)
        if progress is not None:
            progress(len(outcomes), len(tasks))
        if stop_at_failure and outcome.status == "failed":
            results.close()
            break
    return Report(
        suites=tuple(suites),
        outcomes=tuple(outcomes),
        filtered=chosen is not everything,
        stopped=len(outcomes) < len(tasks),
        with_coverage=coverage,
        seconds=time.perf_counter() - started,
    )


def _rule_of(suite: Suite, case: Case) -> Rule | None:
    return None if case.operation is None else suite.rules.get(case.operation)


class _Asked:
    """What cases are put to, made when needed: an engine for scripts, an interpreter for hooks."""

    def __init__(self, settings: Settings, make: _Make | None) -> None:
        self._settings = settings
        self._make = make
        self._engine: LuaEngine | None = None
        self._interpreter: ResourceInterpreter | None = None

    def engine(self) -> LuaEngine:
        """The engine of scripts."""
        if self._engine is None:
            # Imported here: reading cases and writing reports need no Lua.
            from interpreter.engines.lua.engine import LuaEngine

            self._engine = LuaEngine(settings=self._settings)
        return self._engine

    def interpreter(self) -> ResourceInterpreter:
        """The interpreter with the plugins."""
        if self._interpreter is None:
            if self._make is None:
                raise ConfigurationError("cases of plugins need an interpreter")
            self._interpreter = self._make().start()
        return self._interpreter

    def close(self) -> None:
        """Ends both."""
        for made in (self._engine, self._interpreter):
            if made is not None:
                made.close()


def _in_turn(
    tasks: Iterable[_Task], settings: Settings, make: _Make | None
) -> Generator[Outcome, None, None]:
    asked = _Asked(settings, make)
    try:
        for task in tasks:
            yield _run(asked, task)
    finally:
        asked.close()


def _in_pool(
    tasks: Sequence[_Task], asked: tuple[Settings, _Make | None], processes: int
) -> Generator[Outcome, None, None]:
    # Spawned, because a Lua runtime or a thread of the caller would not survive a fork.
    pool = ProcessPoolExecutor(
        max(1, min(processes, len(tasks))),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=asked,
    )
    try:
        futures: list[Future[Outcome]] = [pool.submit(_work, task) for task in tasks]
        for future in futures:
            yield future.result()
    except BrokenProcessPool:
        raise EngineError(
            "a worker process ended before its case did", hint="run without -j to see which"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_worker: list[_Asked] = []


def _start_worker(settings: Settings, make: _Make | None) -> None:
    _worker[:] = [_Asked(settings, make)]


def _work(task: _Task) -> Outcome:
    return _run(_worker[0], task)


def _run(asked: _Asked, task: _Task) -> Outcome:
    case = task.case
    outcome = Outcome(task.suite, task.place, case, "passed")
    if case.problem is not None:
        return replace(outcome, status="failed", mismatches=(Mismatch(case.problem),))
    if case.skip is not None:
        return replace(outcome, status="skipped")
    if task.rule is None or case.operation is None:
        return replace(outcome, status="failed", mismatches=(Mismatch(_no_rule(task)),))
    started = time.perf_counter()
    try:
        answer = _answer(asked, task.rule, case)
    except InterpreterError as error:
        answer = answer_of(error, who="plugin" if task.of_plugins else "script")
    seconds = time.perf_counter() - started
    mismatches = check(case, answer)
    return replace(
        outcome,
        status="failed" if mismatches else "passed",
        mismatches=tuple(mismatches),
        seconds=seconds,
        lines=_lines(asked, task.rule, case) if task.coverage else {},
    )


def _no_rule(task: _Task) -> str:
    operation = task.case.operation
    if operation is None:
        return "the case names no operation"
    spec = OPERATIONS[operation]
    if task.of_plugins:
        return f"no plugin claims {operation} of {task.suite} (the hook {spec.hook})"
    return f"{task.suite} has no script for {operation} ({spec.script}, or the rule {spec.rule})"


def _answer(asked: _Asked, rule: Rule, case: Case) -> Answer:
    """The answer of a rule as JSON."""
    spec = OPERATIONS[rule.operation]
    if not rule.scripts:
        return Answer(spec.show(ask_interpreter(asked.interpreter(), case)), who="plugin")
    from interpreter.engines.lua.asking import ask

    scripts = [_script(script) for script in rule.scripts]
    context = HookContext(operation=rule.operation)
    answer = ask(asked.engine(), rule.operation, scripts, case.arguments, context)
    return Answer(spec.show(spec.accept(answer)))


def ask_interpreter(interpreter: ResourceInterpreter, case: Case) -> Any:
    """The answer of an interpreter to a case, as its method gives it.

    Raises:
        InterpreterError: There is none.
    """
    assert case.operation is not None  # noqa: S101 - such a case is never run
    obj, *given = case.arguments
    names = (argument.name for argument in OPERATIONS[case.operation].inputs)
    return interpreter.call(case.operation, obj, **dict(zip(names, given, strict=True)))


def _lines(asked: _Asked, rule: Rule, case: Case) -> dict[str, frozenset[int]]:
    lines: dict[str, frozenset[int]] = {}
    for script in rule.scripts:
        executed: set[int] = set()
        # The run before this one has reported the error; the lines up to it count.
        with contextlib.suppress(InterpreterError):
            asked.engine().call(
                _script(script), case.arguments, operation=rule.operation, lines=executed
            )
        lines[key_of(script)] = frozenset(executed)
    return lines


def _script(script: ScriptFile) -> Any:
    from interpreter.engines.lua.scripts import Script

    return Script(script.name, script.source, script.function)
