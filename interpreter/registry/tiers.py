"""Tiers, what a tier offers (``Implementation``, ``TierIndex``), and the built-in tiers' index."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError, InvalidObject, PluginError
from interpreter.machinery.gvk import GVK
from interpreter.machinery.unstructured import deep_copy
from interpreter.operations import OPERATIONS

#: All tiers, first to answer first.
ALL_TIERS: Final = ("customization", "webhook", "plugin", "bundled", "native", "generic")

#: Arguments of an operation in the order of its hook, without ``context``.
Arguments = tuple[Any, ...]
Call = Callable[[Arguments, HookContext], Any]


@dataclass(frozen=True, slots=True)
class Implementation:
    """One answer to one operation for the kinds of one claim.

    Attributes:
        tier: One of ``ALL_TIERS``.
        plugin: Name inside the tier: a plugin, customization or webhook; the tier's own name for
            built-in tiers.
        handler: What answers, for people: a function or a script.
        gvk: The claim, may be a pattern.
        operation: The operation.
        call: Answers; None means "not mine".
        final: Whether it always answers, so that nobody behind it is ever asked.
        wrapper: Whether it surrounds the chain instead of answering (a pluggy wrapper).
        counted: Whether ``hook_enabled`` counts it.
    """

    tier: str
    plugin: str
    handler: str
    gvk: GVK
    operation: Operation
    call: Call
    final: bool = True
    wrapper: bool = False
    counted: bool = True

    @property
    def label(self) -> str:
        """``tier:plugin``, or the tier alone for built-in tiers."""
        return self.tier if self.plugin == self.tier else f"{self.tier}:{self.plugin}"


class TierIndex(Protocol):
    """A tier as the registry sees it."""

    @property
    def tier(self) -> str:
        """Name of the tier."""

    def find(self, gvk: GVK, operation: Operation) -> Sequence[Implementation]:
        """Implementations for a kind, first to be asked first."""

    def all(self) -> Iterable[Implementation]:
        """Everything the tier claims."""


@dataclass(frozen=True, slots=True)
class TableTier:
    """A built-in tier: one table of handlers by kind and operation, patterns included."""

    tier: str
    table: Mapping[tuple[GVK, Operation], Implementation]
    patterns: tuple[Implementation, ...]

    def find(self, gvk: GVK, operation: Operation) -> Sequence[Implementation]:
        """The most specific implementation, or none."""
        exact = self.table.get((gvk, operation))
        if exact is not None:
            return (exact,)
        for implementation in self.patterns:
            if implementation.operation is operation and implementation.gvk.matches(gvk):
                return (implementation,)
        return ()

    def all(self) -> Iterable[Implementation]:
        """All rows of the table."""
        return self.table.values()


def table_tier(
    tier: str,
    handlers: Mapping[tuple[GVK, Operation], Callable[..., Any]],
    *,
    counted: bool = True,
) -> TableTier:
    """Makes a tier of plain handlers.

    Args:
        tier: Name of the tier.
        handlers: Functions by kind (or pattern) and operation; each takes the arguments of its
            operation's hook, and ``context`` last if it names it.
        counted: Whether ``hook_enabled`` counts the tier.
    """
    table = {
        (gvk, operation): Implementation(
            tier=tier,
            plugin=tier,
            handler=handler_name(handler),
            gvk=gvk,
            operation=operation,
            call=bind(handler),
            counted=counted,
        )
        for (gvk, operation), handler in handlers.items()
    }
    patterns = [entry for entry in table.values() if entry.gvk.is_pattern]
    patterns.sort(key=lambda entry: entry.gvk.specificity, reverse=True)
    return TableTier(tier, table, tuple(patterns))


def handler_name(handler: Callable[..., Any]) -> str:
    """``module.function``, without the package prefix and the name of an enclosing factory."""
    module = getattr(handler, "__module__", "") or ""
    name = getattr(handler, "__qualname__", type(handler).__qualname__)
    return f"{module.removeprefix('interpreter.engines.')}.{name.rpartition('<locals>.')[2]}"


def bind(handler: Callable[..., Any]) -> Call:
    """A call of a built-in handler.

    Positional arguments, with the context when the handler names it.
    """
    if "context" in inspect.signature(handler).parameters:
        return lambda arguments, context: handler(*arguments, context)
    return lambda arguments, _context: handler(*arguments)


def guarded(
    function: Callable[..., Any],
    names: tuple[str, ...],
    *,
    operation: Operation,
    tier: str,
    plugin: str,
) -> Call:
    """A call of foreign Python code.

    Own copies in, checked results out, errors that name the plugin.

    Args:
        function: The hook implementation, bound.
        names: Arguments it takes, a subset of its hook's.
        operation: The operation it answers.
        tier: Tier of the plugin.
        plugin: Name of the plugin.
    """
    spec = OPERATIONS[operation]

    def call(arguments: Arguments, context: HookContext) -> Any:
        given = dict(zip(spec.arguments, arguments, strict=True))
        given["context"] = context
        try:
            result = function(*(deep_copy(given[name]) for name in names))
        except Exception as error:
            raise plugin_error(error, tier, plugin, operation) from error
        if result is None:
            return None
        return accept(result, operation, tier, plugin)

    return call


def accept(result: Any, operation: Operation, tier: str, plugin: str) -> Any:
    """Checks what foreign code returned and brings it into the result type.

    Raises:
        PluginError: It is not what the operation returns.
    """
    try:
        return OPERATIONS[operation].accept(result)
    except InvalidObject as problem:
        raise PluginError(
            f"plugin {plugin!r} returned an unusable answer: {problem.message}",
            tier=tier,
            plugin=plugin,
            operation=operation,
            path=problem.path,
            value=problem.value,
        ) from None


def plugin_error(
    error: Exception, tier: str, plugin: str, operation: Operation
) -> InterpreterError:
    """The error to raise for an exception of a plugin; errors of this package keep their class."""
    if isinstance(error, InterpreterError):
        error.annotate(tier=tier, plugin=plugin, operation=operation)
        return error
    if isinstance(error, RecursionError):
        problem = "went too deep: the object is nested too deeply, or the plugin calls itself"
    else:
        problem = f"raised {type(error).__name__}: {error}"
    return PluginError(
        f"plugin {plugin!r} {problem}", tier=tier, plugin=plugin, operation=operation
    )
