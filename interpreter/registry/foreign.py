"""Calling foreign Python code: own copies in, checked results out, errors that name the plugin."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Generator
from typing import Any

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import (
    NO_STATUS,
    Component,
    DependentObjectReference,
    Health,
    ReplicaResult,
)
from interpreter.codec.copying import plain_copy
from interpreter.errors import InterpreterError, InvalidObject, PluginError
from interpreter.machinery.gvk import gvk_of
from interpreter.machinery.unstructured import deep_copy, same
from interpreter.operations import OPERATIONS
from interpreter.registry.faults import FAULTS, is_fault, told
from interpreter.registry.quarantine import Watch
from interpreter.registry.tiers import Arguments, Call

_TIER = "plugin"
_RECORDS = (Component, DependentObjectReference)


def answering(
    function: Callable[..., Any],
    names: tuple[str, ...],
    operation: Operation,
    plugin: str,
    *,
    watch: Watch,
    strict: bool,
) -> Call:
    """The call of a hook that answers.

    Args:
        function: The hook implementation, bound.
        names: Arguments it takes, a subset of its hook's.
        operation: The operation it answers.
        plugin: Name of the plugin.
        watch: Counts its failures.
        strict: Whether a change of its input is an error.
    """

    def call(arguments: Arguments, context: HookContext) -> Any:
        given = _own(arguments, context, operation)
        try:
            result = function(*(given[name] for name in names))
            answer = None if result is None else accept(result, operation, plugin)
            if strict:
                _check_unchanged(given, arguments, operation, plugin)
        except BaseException as error:
            raise _noted(error, arguments, operation, plugin, watch) from _cause(error)
        watch.succeeded()
        return answer

    return call


def wrapping(
    function: Callable[..., Any],
    names: tuple[str, ...],
    operation: Operation,
    plugin: str,
    *,
    watch: Watch,
    strict: bool,
) -> Call:
    """The call of a wrapper hook: a generator that yields once, for the answer it surrounds.

    Args:
        function: The hook implementation, bound.
        names: Arguments it takes, a subset of its hook's.
        operation: The operation it surrounds.
        plugin: Name of the plugin.
        watch: Counts its failures.
        strict: Whether a change of its input is an error.
    """

    def call(arguments: Arguments, context: HookContext) -> Generator[None, Any, Any]:
        given = _own(arguments, context, operation)
        try:
            generator = function(*(given[name] for name in names))
            try:
                next(generator)
            except StopIteration:
                raise _yields_once(plugin, operation) from None
        except BaseException as error:
            raise _noted(error, arguments, operation, plugin, watch) from _cause(error)
        answer: Any = None
        inner: Exception | None = None
        try:
            answer = yield
        except Exception as error:
            inner = error
        try:
            if inner is None:
                generator.send(answer)
            else:
                generator.throw(inner)
        except StopIteration as stop:
            if strict:
                _check_unchanged(given, arguments, operation, plugin)
            watch.succeeded()
            return stop.value
        except BaseException as error:
            # What the chain inside raised already names its own culprit.
            if error is inner:
                raise
            raise _noted(error, arguments, operation, plugin, watch) from _cause(error)
        # A generator may even refuse to be closed.
        with contextlib.suppress(*FAULTS):
            generator.close()
        fault = _yields_once(plugin, operation)
        watch.failed(fault)
        raise fault

    return call


def _noted(
    error: BaseException,
    arguments: Arguments,
    operation: Operation,
    plugin: str,
    watch: Watch,
) -> InterpreterError:
    """The error to raise; the watch knows of it. What is no fault of a plugin is raised at once."""
    if not is_fault(error):
        raise error
    named = _named(error, arguments, operation, plugin)
    if named is not error:
        named.__cause__ = error
    watch.failed(named)
    return named


def _cause(error: BaseException) -> BaseException | None:
    """What an error that is raised for this one comes from; one of this package stays itself."""
    return error.__cause__ if isinstance(error, InterpreterError) else error


def _check_unchanged(
    given: dict[str, Any], arguments: Arguments, operation: Operation, plugin: str
) -> None:
    for name, before in zip(OPERATIONS[operation].arguments, arguments, strict=True):
        if not same(given[name], before):
            raise PluginError(
                f"plugin {plugin!r} changed its input {name}, asked for {operation}",
                tier=_TIER,
                plugin=plugin,
                operation=operation,
                hint="change a copy and return that",
            )


def accept(result: Any, operation: Operation, plugin: str) -> Any:
    """Checks what foreign code returned and brings it into the result type.

    What leaves is a copy: the foreign code may keep what it returned, and give it to the next
    caller, too.

    Raises:
        PluginError: It is not what the operation returns.
    """
    try:
        return _unshared(OPERATIONS[operation].accept(result))
    except InvalidObject as problem:
        raise PluginError(
            f"plugin {plugin!r} returned an unusable answer: {problem.message}",
            tier=_TIER,
            plugin=plugin,
            operation=operation,
            path=problem.path,
            value=problem.value,
        ) from None


def _unshared(answer: Any) -> Any:
    if answer is NO_STATUS or isinstance(answer, Health):
        return answer
    if isinstance(answer, ReplicaResult):
        return answer if answer.requirements is None else copy.deepcopy(answer)
    if isinstance(answer, list) and answer and isinstance(answer[0], _RECORDS):
        return copy.deepcopy(answer)
    return plain_copy(answer)


def _own(arguments: Arguments, context: HookContext, operation: Operation) -> dict[str, Any]:
    """Arguments by name, as copies that the plugin may do with what it likes."""
    names = OPERATIONS[operation].arguments
    given = {name: deep_copy(value) for name, value in zip(names, arguments, strict=True)}
    given["context"] = context.copy()
    return given


def _yields_once(plugin: str, operation: Operation) -> PluginError:
    return PluginError(
        f"plugin {plugin!r}: a wrapper must yield exactly once",
        tier=_TIER,
        plugin=plugin,
        operation=operation,
    )


def _named(
    error: BaseException, arguments: Arguments, operation: Operation, plugin: str
) -> InterpreterError:
    """The error to raise for an exception of a plugin; errors of this package keep their class."""
    if isinstance(error, InterpreterError):
        error.annotate(tier=_TIER, plugin=plugin, operation=operation)
        return error
    if isinstance(error, RecursionError):
        problem = "went too deep: the object is nested too deeply, or the plugin calls itself"
    else:
        problem = f"raised {told(error)}"
    gvk = gvk_of(arguments[0])
    return PluginError(
        f"plugin {plugin!r} (tier {_TIER}), asked for {operation} of {gvk}, {problem}",
        tier=_TIER,
        plugin=plugin,
        operation=operation,
        gvk=gvk,
    )
