"""Routes: for a kind and an operation the implementations to ask, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pluggy

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import NO_STATUS
from interpreter.machinery.gvk import GVK
from interpreter.registry.disabling import Disabled
from interpreter.registry.foreign import accept
from interpreter.registry.tiers import Arguments, Implementation, TierIndex

_BUILT_IN = frozenset({"native", "generic"})
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
        only: The one to ask when there is no other and no wrapper, else None.
    """

    implementations: tuple[Implementation, ...]
    only: Implementation | None
    _wrapper: Implementation | None
    _caller: pluggy.HookCaller | None

    @property
    def counted(self) -> bool:
        """Whether a control plane may rely on an answer (``hook_enabled``)."""
        return any(entry.counted for entry in self.implementations)

    @property
    def built_in(self) -> bool:
        """Whether only native and generic code is asked."""
        return all(entry.tier in _BUILT_IN for entry in self.implementations)

    def run(self, arguments: Arguments, context: HookContext) -> tuple[Any, Implementation | None]:
        """Asks; returns the first answer and who gave it, ``(None, None)`` when nobody did."""
        only = self.only
        if only is not None:
            result = only.ask(arguments, context)
            return result, only if result is not None or only.final else None
        if self._caller is None:
            return None, None
        trail: list[Implementation] = []
        result = self._caller(arguments=arguments, context=context, trail=trail)
        answered = trail[0] if trail else None
        if self._wrapper is not None and (trail or result is not None):
            # A wrapper may have amended the answer: what leaves is checked again.
            result = accept(result, self._wrapper.operation, self._wrapper.plugin)
            answered = answered or self._wrapper
        return result, answered


_NOBODY = Route((), None, None, None)


class Registry:
    """Tiers in their order. Immutable; safe to share between threads."""

    def __init__(
        self, tiers: Iterable[TierIndex], *, disabled: Sequence[Disabled] = (), cache_size: int
    ) -> None:
        """Joins tiers.

        Args:
            tiers: Tiers, first to be asked first.
            disabled: What is not to be asked.
            cache_size: Bound on remembered routes.
        """
        self._tiers = tuple(tiers)
        self._disabled = tuple(disabled)
        self._cache_size = cache_size
        self._routes: dict[tuple[GVK, Operation], Route] = {}
        # Keyed by identity: a caller holds its implementations, so an identity is never reused.
        self._callers: dict[tuple[int, ...], tuple[tuple[Implementation, ...], Any]] = {}

    def route(self, gvk: GVK, operation: Operation) -> Route:
        """The route for a kind and an operation."""
        key = (gvk, operation)
        found = self._routes.get(key)
        return found if found is not None else self._compute(key)

    def candidates(self, gvk: GVK, operation: Operation) -> Iterator[Candidate]:
        """All implementations that claim the kind, with the reason where one is not asked."""
        closed: str | None = None
        for tier in self._tiers:
            first: str | None = None
            for implementation in tier.find(gvk, operation):
                # A wrapper surrounds the chain, whoever answers in it.
                reason = None if implementation.wrapper else closed or first
                for rule in self._disabled:
                    if rule.covers(implementation, gvk):
                        reason = f"disabled by {rule.text!r}"
                yield Candidate(implementation, reason)
                if reason is None and implementation.final:
                    closed = f"{implementation.label} answers first"
                if reason is None and implementation.first_only:
                    first = f"{implementation.label} matches first"

    def rows(self) -> Iterator[Row]:
        """Every claim of every tier, in the order of tiers."""
        for tier in self._tiers:
            for entry in tier.all():
                disabled = any(rule.covers(entry, entry.gvk) for rule in self._disabled)
                yield Row(entry.gvk, entry.operation, entry, disabled)

    def restricted(self, tiers: Iterable[str]) -> Registry:
        """A registry of some of these tiers, by name; the tiers are the same objects."""
        names = frozenset(tiers)
        return Registry(
            (tier for tier in self._tiers if tier.tier in names),
            disabled=self._disabled,
            cache_size=self._cache_size,
        )

    def idle(self) -> list[str]:
        """Entries of ``disable`` that are about nothing in these tiers."""
        entries = [entry for tier in self._tiers for entry in tier.all()]
        return [
            rule.text
            for rule in self._disabled
            if not any(rule.concerns(entry) for entry in entries)
        ]

    def _compute(self, key: tuple[GVK, Operation]) -> Route:
        asked = tuple(
            candidate.implementation
            for candidate in self.candidates(*key)
            if candidate.skipped is None
        )
        wrapper = next((entry for entry in asked if entry.wrapper), None)
        if all(entry.wrapper for entry in asked):
            route = _NOBODY
        elif len(asked) == 1:
            route = Route(asked, asked[0], None, None)
        else:
            route = Route(asked, None, wrapper, self._caller_for(asked))
        if len(self._routes) >= self._cache_size:
            self._routes.clear()
        self._routes[key] = route
        return route

    def _caller_for(self, asked: tuple[Implementation, ...]) -> pluggy.HookCaller:
        key = tuple(id(entry) for entry in asked)
        found = self._callers.get(key)
        if found is None:
            if len(self._callers) >= self._cache_size:
                self._callers.clear()
            found = self._callers[key] = (asked, _pluggy_caller(asked))
        caller: pluggy.HookCaller = found[1]
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
        make = _wrapper if implementation.wrapper else _answerer
        manager.register(make(implementation))
    return manager.hook.answer


def _answerer(implementation: Implementation) -> object:
    class Answerer:
        @_impl
        def answer(
            self, arguments: Arguments, context: HookContext, trail: list[Implementation]
        ) -> Any:
            result = implementation.ask(arguments, context)
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
