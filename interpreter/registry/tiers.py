"""What a tier offers to the registry, and the index of tiers that are tables of plain functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError, too_deep
from interpreter.machinery.gvk import GVK

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
        call: Answers; None means "not mine". A wrapper's call is a generator instead.
        final: Whether it always answers, so that nobody behind it is ever asked.
        wrapper: Whether it surrounds the chain instead of answering (a pluggy wrapper).
        counted: Whether ``hook_enabled`` counts it.
        chained: Whether this wrapper also answers where nobody inside does.
        asks_below: Whether its context must be able to ask the tiers below.
        unavailable: Why it cannot be asked now, or None; not given where it always can.
        first_only: Whether nobody behind it in its own tier is asked, even if it does not answer.
        state: Tells how it fares, for ``explain``; None where it always fares the same.
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
    chained: bool = False
    asks_below: bool = False
    unavailable: Callable[[], str | None] | None = None
    first_only: bool = False
    state: Callable[[], str] | None = None

    @property
    def label(self) -> str:
        """``tier:plugin``, or the tier alone for built-in tiers."""
        return self.tier if self.plugin == self.tier else f"{self.tier}:{self.plugin}"

    def ask(self, arguments: Arguments, context: HookContext) -> Any:
        """Calls it; its errors leave with its tier and name.

        Raises:
            InterpreterError: The call failed, or the object is nested too deeply.
        """
        try:
            return self.call(arguments, context)
        except InterpreterError as error:
            error.annotate(tier=self.tier, plugin=self.plugin)
            raise
        except RecursionError:
            raise too_deep(tier=self.tier, plugin=self.plugin) from None


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
            handler=_handler_name(handler),
            gvk=gvk,
            operation=operation,
            call=_bind(handler),
            counted=counted,
        )
        for (gvk, operation), handler in handlers.items()
    }
    patterns = [entry for entry in table.values() if entry.gvk.is_pattern]
    patterns.sort(key=lambda entry: entry.gvk.generality)
    return TableTier(tier, table, tuple(patterns))


def _handler_name(handler: Callable[..., Any]) -> str:
    """``module.function``, without the package prefix and the name of an enclosing factory."""
    module = getattr(handler, "__module__", "") or ""
    name = getattr(handler, "__qualname__", type(handler).__qualname__)
    return f"{module.removeprefix('interpreter.engines.')}.{name.rpartition('<locals>.')[2]}"


def _bind(handler: Callable[..., Any]) -> Call:
    if "context" in inspect.signature(handler).parameters:
        return lambda arguments, context: handler(*arguments, context)
    return lambda arguments, _context: handler(*arguments)
