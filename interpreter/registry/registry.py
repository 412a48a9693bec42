"""Routes: for a kind and an operation the implementations to ask, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pluggy

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import NO_STATUS
from interpreter.errors import InterpreterError
from interpreter.machinery.gvk import GVK
from interpreter.registry.disabling import Switch
from interpreter.registry.tiers import Arguments, Call, Implementation, TierIndex, accept

_PROJECT = "resource_interpreter_route"
_spec = pluggy.HookspecMarker(_PROJECT)
_impl = pluggy.HookimplMarker(_PROJECT)


class Candidate(NamedTuple):
    """An implementation for a kind, and why it is not asked (None when it is)."""

    implementation: Implementation
    skipped: str | None


class Row(NamedTuple):
    """A line of the kind x operation matrix."""

    gvk: GVK
    operation: Operation
    implementation: Implementation
    disabled: bool


@dataclass(frozen=True, slots=True)
class Route:
    """Who is asked for one kind and operation.

    Attributes:
        implementations: In order; wrappers included.
        direct: The one call to make when there is one implementation and no wrapper, else None.
    """

    implementations: tuple[Implementation, ...]
    direct: Call | None
    _caller: pluggy.HookCaller | None

    @property
    def counted(self) -> bool:
        """Whether a control plane may rely on an answer (``hook_enabled``)."""
        return any(entry.counted for entry in self.implementations)

    def run(self, arguments: Arguments, context: HookContext) -> tuple[Any, Implementation | None]:
        """Asks; returns the first answer and who gave it, ``(None, None)`` when nobody did."""
        if self.direct is not None:
            return self.direct(arguments, context), self.implementations[0]
        if self._caller is None:
            return None, None
        trail: list[Implementation] = []
        result = self._caller(arguments=arguments, context=context, trail=trail)
        wrappers = [entry for entry in self.implementations if entry.wrapper]
        if result is not None and wrappers:
            # A wrapper may have amended the answer: what leaves is checked again.
            last = wrappers[0]
            result = accept(result, last.operation, last.tier, last.plugin)
            return result, trail[0] if trail else last
        return result, trail[0] if trail else None

    def blame(self, error: InterpreterError, gvk: GVK, operation: Operation) -> None:
        """Fills in what an error does not know: kind, operation, and who was asked."""
        error.annotate(gvk=gvk, operation=operation)
        # Foreign code names itself; an error without a tier comes from the last one asked.
        if error.tier is None and self.implementations:
            last = self.implementations[-1]
            error.annotate(tier=last.tier, plugin=last.plugin)


_NOBODY = Route((), None, None)


class Registry:
    """Tiers in their order. Immutable; safe to share between threads."""

    def __init__(
        self, tiers: Iterable[TierIndex], *, switches: Sequence[Switch] = (), cache_size: int
    ) -> None:
        """Joins tiers.

        Args:
            tiers: Tiers, first to be asked first.
            switches: What is switched off.
            cache_size: Bound on remembered routes.
        """
        self.tiers = tuple(tiers)
        self._switches = tuple(switches)
        self._cache_size = cache_size
        self._routes: dict[tuple[GVK, Operation], Route] = {}
        self._callers: dict[tuple[int, ...], pluggy.HookCaller] = {}

    def route(self, gvk: GVK, operation: Operation) -> Route:
        """The route for a kind and an operation."""
        key = (gvk, operation)
        found = self._routes.get(key)
        return found if found is not None else self._compute(key)

    def candidates(self, gvk: GVK, operation: Operation) -> Iterator[Candidate]:
        """All implementations that claim the kind, with the reason where one is not asked."""
        closed: str | None = None
        for tier in self.tiers:
            for implementation in tier.find(gvk, operation):
                reason = closed
                for switch in self._switches:
                    if switch.covers(implementation, gvk):
                        reason = f"switched off by {switch.text!r}"
                yield Candidate(implementation, reason)
                if reason is None and implementation.final:
                    closed = f"{implementation.label} answers first"

    def rows(self) -> Iterator[Row]:
        """Every claim of every tier, in the order of tiers."""
        for tier in self.tiers:
            for entry in tier.all():
                disabled = any(switch.covers(entry, entry.gvk) for switch in self._switches)
                yield Row(entry.gvk, entry.operation, entry, disabled)

    def _compute(self, key: tuple[GVK, Operation]) -> Route:
        asked = tuple(
            candidate.implementation
            for candidate in self.candidates(*key)
            if candidate.skipped is None
        )
        if not asked or all(entry.wrapper for entry in asked):
            route = _NOBODY
        elif len(asked) == 1:
            route = Route(asked, asked[0].call, None)
        else:
            route = Route(asked, None, self._caller_for(asked))
        if len(self._routes) >= self._cache_size:
            self._routes.clear()
        self._routes[key] = route
        return route

    def _caller_for(self, asked: tuple[Implementation, ...]) -> pluggy.HookCaller:
        key = tuple(id(entry) for entry in asked)
        caller = self._callers.get(key)
        if caller is None:
            if len(self._callers) >= self._cache_size:
                self._callers.clear()
            caller = self._callers[key] = _pluggy_caller(asked)
        return caller


class _RouteSpec:
    """The one hook of a route's own plugin manager."""

    @_spec(firstresult=True)
    def answer(
        self, arguments: Arguments, context: HookContext, trail: list[Implementation]
    ) -> Any:
        """The first answer; whoever gives it signs the trail."""


def _pluggy_caller(asked: tuple[Implementation, ...]) -> pluggy.HookCaller:
    """A pluggy call over implementations in the given order (its last registered goes first)."""
    manager = pluggy.PluginManager(_PROJECT)
    manager.add_hookspecs(_RouteSpec)
    for implementation in reversed(asked):
        manager.register(
            _wrapper(implementation) if implementation.wrapper else _answerer(implementation)
        )
    return manager.hook.answer


def _answerer(implementation: Implementation) -> object:
    class Answerer:
        @_impl
        def answer(
            self, arguments: Arguments, context: HookContext, trail: list[Implementation]
        ) -> Any:
            result = implementation.call(arguments, context)
            if result is None and implementation.final:
                # A tier that always answers has nothing to report: that ends the chain, too.
                result = NO_STATUS
            if result is not None:
                trail.append(implementation)
            return result

    return Answerer()


def _wrapper(implementation: Implementation) -> object:
    class Wrapper:
        @_impl(wrapper=True)
        def answer(self, arguments: Arguments, context: HookContext) -> Any:
            return (yield from implementation.call(arguments, context))

    return Wrapper()
