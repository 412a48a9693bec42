"""Asking the scripts of a rule: one, or several whose answers are joined."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.results import join_dependencies
from interpreter.engines.lua.scripts import Script

Call = Callable[[tuple[Any, ...], HookContext], Any]


def ask(
    engine: LuaEngine,
    operation: Operation,
    scripts: Sequence[Script],
    arguments: Sequence[Any],
    context: HookContext,
) -> Any:
    """The answer of a rule; what several dependency scripts say is joined.

    Raises:
        InterpreterError: As ``LuaEngine.interpret``.
    """
    if len(scripts) == 1:
        return engine.interpret(operation, scripts[0], arguments, context)
    # One call has one budget, however many scripts share it.
    deadline = time.monotonic() + engine.limits.deadline_ms / 1000
    if context.deadline is None or context.deadline > deadline:
        context = dataclasses.replace(context, deadline=deadline)
    found = []
    for script in scripts:
        found.extend(engine.interpret(operation, script, arguments, context))
    return join_dependencies(found)


def script_call(engine: LuaEngine, operation: Operation, scripts: Sequence[Script]) -> Call:
    """What asks scripts of one rule, as ``ask`` does."""

    def call(arguments: tuple[Any, ...], context: HookContext) -> Any:
        return ask(engine, operation, scripts, arguments, context)

    return call
