"""Routes: for a kind and an operation the implementations to ask, in order."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pluggy

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import NO_STATUS
from interpreter.machinery.gvk import GVK
from interpreter.operations import OPERATIONS
from interpreter.registry.disabling import Disabled
from interpreter.registry.foreign import accept
from interpreter.registry.tiers import Arguments, Call, Implementation, TierIndex

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
        self,
        tiers: Iterable[TierIndex],
        *,
        disabled: Sequence[Disabled] = (),
        cache_size: int,
        trace: Callable[[Implementation], Implementation] | None = None,
        below: Sequence[TierIndex] | None = None,
    ) -> None:
        """Joins tiers.

        Args:
            tiers: Tiers, first to be asked first.
            disabled: What is not to be asked.
            cache_size: Bound on remembered routes.
            trace: Makes an implementation tell about its calls.
            below: Tiers that whoever answers may go on with (``next_tier``, chained scripts), in
                their order; these tiers when None.
        """
        self._tiers = tuple(tiers)
        self._below = self._tiers if below is None else tuple(below)
        self._disabled = tuple(disabled)
        self._cache_size = cache_size
        self._trace = trace
        self._routes: dict[tuple[GVK, Operation], Route] = {}
        # Keyed by identity: a caller holds its implementations, so an identity is never reused.
        self._callers: dict[tuple[int, ...], tuple[tuple[Implementation, ...], Any]] = {}

    def route(self, gvk: GVK, operation: Operation) -> Route:
        """The route for a kind and an operation."""
        key = (gvk, operation)
        found = self._routes.get(key)
        return found if found is not None else self._compute(key)

    def known(self, gvk: GVK, operation: Operation) -> Route | None:
        """The route, if it was asked for before: nothing is loaded and nobody is waited for."""
        return self._routes.get((gvk, operation))

    def candidates(self, gvk: GVK, operation: Operation) -> Iterator[Candidate]:
        """All implementations that claim the kind, with the reason where one is not asked."""
        return self._candidates(gvk, operation, self._tiers)

    def _candidates(
        self, gvk: GVK, operation: Operation, tiers: Iterable[TierIndex]
    ) -> Iterator[Candidate]:
        closed: str | None = None
        for tier in tiers:
            first: str | None = None
            for implementation in tier.find(gvk, operation):
                # A wrapper surrounds the chain, whoever answers in it.
                reason = None if implementation.wrapper else closed or first
                if implementation.unavailable is not None:
                    reason = implementation.unavailable() or reason
                for rule in self._disabled:
                    if rule.covers(implementation, gvk):
                        reason = f"disabled by {rule.text!r}"
                yield Candidate(implementation, reason)
                if reason is None and implementation.final and not implementation.wrapper:
                    closed = f"{implementation.label} answers first"
                if reason is None and implementation.first_only:
                    first = f"{implementation.label} matches first"

    def rows(self) -> Iterator[Row]:
        """Every claim of every tier, in the order of tiers."""
        for tier in self._tiers:
            for entry in tier.all():
                disabled = any(rule.covers(entry, entry.gvk) for rule in self._disabled)
                yield Row(entry.gvk, entry.operation, entry, disabled)

    def restricted(self, tiers: Iterable[str], *, below: Iterable[str] = ()) -> Registry:
        """A registry of some of these tiers, by name; the tiers are the same objects.

        Args:
            tiers: Tiers to use.
            below: Further tiers, which only they ask: by ``next_tier``, and for chained scripts.
        """
        names = frozenset(tiers)
        reachable = names.union(below)
        return Registry(
            (tier for tier in self._tiers if tier.tier in names),
            disabled=self._disabled,
            cache_size=self._cache_size,
            trace=self._trace,
            below=[tier for tier in self._below if tier.tier in reachable],
        )

    def idle(self) -> list[str]:
        """Entries of ``disable`` that are about nothing in these tiers."""
        return [rule.text for rule in self._disabled if not self._is_about_something(rule)]

    def _is_about_something(self, rule: Disabled) -> bool:
        for tier in self._tiers:
            # A plugin has a name before it is loaded, and one that is switched off never is.
            if tier.tier == rule.tier and (
                rule.plugin in getattr(tier, "names", ())
                or any(rule.concerns(entry) for entry in tier.all())
            ):
                return True
        return False

    def disables_plugin(self, name: str) -> bool:
        """Whether nothing of a plugin is to be asked."""
        return any(rule.covers_plugin(name) for rule in self._disabled)

    def _compute(self, key: tuple[GVK, Operation]) -> Route:
        route = self._route_through(key, self._tiers)
        if len(self._routes) >= self._cache_size:
            self._routes.clear()
        self._routes[key] = route
        return route

    def _route_through(self, key: tuple[GVK, Operation], tiers: Sequence[TierIndex]) -> Route:
        found = [entry for entry, skipped in self._candidates(*key, tiers) if skipped is None]
        if tiers is self._tiers is not self._below and any(entry.chained for entry in found):
            # They go on with the answer of whoever would answer without them.
            tiers = self._below
            found = [entry for entry, skipped in self._candidates(*key, tiers) if skipped is None]
        asked = tuple(self._ready(entry, key) for entry in found)
        # Plugins' wrappers surround everything, chained scripts whoever answers before them.
        asked = (
            *(entry for entry in asked if entry.wrapper and not entry.chained),
            # The first by name goes on with the base, so it stands innermost.
            *sorted(
                (entry for entry in asked if entry.chained),
                key=lambda entry: entry.plugin.encode(),
                reverse=True,
            ),
            *(entry for entry in asked if not entry.wrapper),
        )
        if all(entry.wrapper and not entry.chained for entry in asked):
            return _NOBODY
        if len(asked) == 1 and not asked[0].wrapper:
            return Route(asked, asked[0], None, None)
        wrapper = next((entry for entry in asked if entry.wrapper), None)
        return Route(asked, None, wrapper, self._caller_for(asked))

    def _ready(self, implementation: Implementation, key: tuple[GVK, Operation]) -> Implementation:
        """An implementation as a route calls it."""
        if implementation.asks_below:
            call = self._with_below(implementation, key)
            implementation = dataclasses.replace(implementation, call=call)
        return implementation if self._trace is None else self._trace(implementation)

    def _with_below(self, implementation: Implementation, key: tuple[GVK, Operation]) -> Call:
        """Its call, with a context that asks the tiers behind its own."""
        position = next(
            index for index, tier in enumerate(self._below) if tier.tier == implementation.tier
        )
        tiers = self._below[position + 1 :]
        names = OPERATIONS[key[1]].arguments
        inner = implementation.call
        route = functools.cache(lambda: self._route_through(key, tiers))

        def call(arguments: Arguments, context: HookContext) -> Any:
            def below(changes: Mapping[str, Any]) -> Any:
                given = dict(zip(names, arguments, strict=True))
                unknown = sorted(changes.keys() - given.keys())
                if unknown:
                    raise TypeError(f"{key[1]} has no argument {unknown[0]!r}")
                asked = tuple({**given, **changes}.values())
                result, answered = route().run(asked, context)
                # Nothing to report is an answer, nobody's is none.
                return NO_STATUS if result is None and answered is not None else result

            return inner(arguments, context.above(below))

        return call

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
