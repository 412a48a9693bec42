"""Telling about calls as they happen, for people who look for the answer that surprises them."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Generator
from typing import Any

from interpreter.api.context import HookContext
from interpreter.codec.json import dumps
from interpreter.errors import InterpreterError
from interpreter.machinery.gvk import gvk_of
from interpreter.machinery.unstructured import metadata_of
from interpreter.machinery.wording import truncated, visible
from interpreter.operations import OPERATIONS
from interpreter.registry.tiers import Arguments, Implementation

#: Characters of an answer that are shown.
_LONGEST = 300


def traced(implementation: Implementation) -> Implementation:
    """The implementation; each of its calls prints a line to standard error.

    The line has operation, object, who was asked, time in microseconds, and the answer (cut) or the
    error. Answers hold what objects hold.
    """
    make = _wrapper if implementation.wrapper else _answerer
    return dataclasses.replace(implementation, call=make(implementation))


def _answerer(implementation: Implementation) -> Any:
    def call(arguments: Arguments, context: HookContext) -> Any:
        started = time.perf_counter()
        try:
            result = implementation.call(arguments, context)
        except InterpreterError as error:
            _tell(implementation, arguments, started, f"error: {error}")
            raise
        _tell(implementation, arguments, started, _shown(implementation, result))
        return result

    return call


def _wrapper(implementation: Implementation) -> Any:
    def call(arguments: Arguments, context: HookContext) -> Generator[None, Any, Any]:
        started = time.perf_counter()
        try:
            result = yield from implementation.call(arguments, context)
        except InterpreterError as error:
            _tell(implementation, arguments, started, f"error: {error}")
            raise
        _tell(implementation, arguments, started, _shown(implementation, result))
        return result

    return call


def _shown(implementation: Implementation, result: Any) -> str:
    if result is None:
        return "nothing to report" if implementation.final else "not mine"
    try:
        text = dumps(OPERATIONS[implementation.operation].show(result))
    except (InterpreterError, AttributeError):  # what a wrapper returns is checked later
        text = repr(result)
    return truncated(text, _LONGEST)


def _tell(implementation: Implementation, arguments: Arguments, started: float, what: str) -> None:
    micros = (time.perf_counter() - started) * 1e6
    obj = arguments[0]
    name = metadata_of(obj).get("name", "")
    line = (
        f"trace: {implementation.operation} of {gvk_of(obj)} {name}: {implementation.label} "
        f"{implementation.handler} {micros:.0f} us: {what}"
    )
    # In one piece: calls of several threads, and the logs of a server, write there, too.
    sys.stderr.write(f"{visible(line)}\n")
