"""Putting a registry's tiers together. Engines are imported only for tiers that are used."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from interpreter.api.operation import Operation
from interpreter.api.scheduling import SchedulerParts
from interpreter.errors import ConfigurationError, InterpreterError, guard_depth
from interpreter.machinery.gvk import ANY
from interpreter.machinery.unstructured import deep_copy
from interpreter.registry.disabling import Disabled
from interpreter.registry.registry import Registry
from interpreter.registry.tiers import ALL_TIERS, TierIndex, table_tier
from interpreter.settings import DEFAULTS, Settings

if TYPE_CHECKING:
    from interpreter.engines.lua.engine import LuaEngine


class Assembly:
    """The tiers of one interpreter: built when first needed, swapped one at a time.

    ``current`` is the registry that calls use; a swap replaces it at once. Safe to share between
    threads.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        given: dict[str, tuple[Any, ...]],
        *,
        disabled: Sequence[Disabled],
        isolation: str,
        settings: Settings,
    ) -> None:
        """Keeps what tiers are made of; nothing is built yet.

        Args:
            names: Tiers to use, in their order.
            given: Documents or plugins by tier.
            disabled: What is not to be asked.
            isolation: Where scripts run: ``"thread"`` or ``"process"``.
            settings: Limits.
        """
        self._engines = Engines(isolation, settings)
        self._names = names
        self._given = given
        self._disabled = disabled
        self._settings = settings
        self._lock = threading.RLock()
        self._tiers: dict[str, TierIndex | None] = {}
        self._closed = False
        self.current: Registry | None = None

    def registry(self) -> Registry:
        """The registry, built if need be.

        Raises:
            InterpreterError: A document or plugin cannot be used, or it is closed.
        """
        with self._lock:
            self._check_open()
            if self.current is None:
                self._join({name: self._build(name) for name in self._names})
            return cast("Registry", self.current)

    def scheduler_parts(self) -> SchedulerParts:
        """What plugins bring for the scheduler.

        Raises:
            InterpreterError: A plugin cannot be used, or it is closed.
        """
        from interpreter.registry.plugins import PluginTier

        with self._lock:
            self.registry()
            tier = self._tiers.get("plugin")
        if not isinstance(tier, PluginTier):
            return SchedulerParts()

        def skipped(name: str) -> bool:
            return any(rule.covers_plugin(name) for rule in self._disabled)

        return SchedulerParts(
            filters=tier.parts("scheduler_filters", skipped),
            scores=tier.parts("scheduler_scores", skipped),
            estimators=tier.parts("replica_estimators", skipped),
        )

    def swap(self, name: str, given: tuple[Any, ...]) -> None:
        """Replaces one tier; other tiers stay the objects that they are.

        Raises:
            InterpreterError: A document cannot be used (the old tier stays), or it is closed.
        """
        with self._lock:
            self._check_open()
            before = self._given.get(name, ())
            self._given[name] = given
            try:
                # Built before anything is replaced, even if it is not needed yet.
                tier = self._build(name)
            except InterpreterError:
                self._given[name] = before
                raise
            if self.current is not None and name in self._names:
                self._join({**self._tiers, name: tier})

    def close(self) -> None:
        """Ends it."""
        with self._lock:
            self._closed = True
            self.current = None
            self._tiers = {}
            self._engines.close()

    def _build(self, name: str) -> TierIndex | None:
        return build_tier(name, self._given.get(name, ()), self._engines)

    def _join(self, tiers: dict[str, TierIndex | None]) -> None:
        self.current = Registry(
            (tier for tier in tiers.values() if tier is not None),
            disabled=self._disabled,
            cache_size=self._settings.route_cache_size,
        )
        self._tiers = tiers

    def _check_open(self) -> None:
        if self._closed:
            raise InterpreterError("this ResourceInterpreter is closed", hint="make a new one")


class Engines:
    """Engines that outlive a swap of what they run; made when first needed."""

    def __init__(self, isolation: str = "thread", settings: Settings = DEFAULTS) -> None:
        """Keeps how to make them."""
        self._isolation = isolation
        self._settings = settings
        self._lua: LuaEngine | None = None

    def lua(self) -> LuaEngine:
        """The Lua engine."""
        if self._lua is None:
            from interpreter.engines.lua.engine import LuaEngine

            self._lua = LuaEngine(settings=self._settings, isolation=self._isolation)
        return self._lua

    def close(self) -> None:
        """Ends them."""
        if self._lua is not None:
            self._lua.close()


def build_tier(name: str, given: Sequence[Any], engines: Engines) -> TierIndex | None:
    """One tier.

    Args:
        name: One of ``ALL_TIERS``.
        given: What the tier is made of: documents or plugin objects; built-in tiers need nothing.
        engines: What runs documents.

    Returns:
        The tier, None when it holds nothing.

    Raises:
        InvalidCustomization: A document cannot be used.
        PluginError: A plugin cannot be used.
    """
    if name in _BUILT_IN:
        return _BUILT_IN[name](engines)
    return _GIVEN[name](given, engines) if given else None


def _customizations(documents: Sequence[Any], engines: Engines) -> TierIndex:
    from interpreter.registry.lua_tier import customization_tier

    return customization_tier(documents, engines.lua())


def _webhooks(documents: Sequence[Any], _engines: Engines) -> TierIndex:
    from interpreter.registry.declared import webhook_tier

    return webhook_tier(documents)


def _plugins(plugins: Sequence[Any], _engines: Engines) -> TierIndex:
    from interpreter.registry.plugins import PluginTier

    return PluginTier(plugins)


def _bundled(engines: Engines) -> TierIndex:
    from interpreter.catalogue.location import bundled_scripts
    from interpreter.registry.bundled import BundledTier

    return BundledTier(bundled_scripts(), engines.lua)


def _native(_engines: Engines) -> TierIndex:
    from interpreter.engines.native.table import handlers

    return table_tier("native", handlers())


def _generic(_engines: Engines) -> TierIndex:
    from interpreter.engines.generic import interpret_health

    table = {(ANY, Operation.INTERPRET_HEALTH): interpret_health}
    return table_tier("generic", table, counted=False)


_BUILT_IN: dict[str, Callable[[Engines], TierIndex]] = {
    "bundled": _bundled,
    "native": _native,
    "generic": _generic,
}
_GIVEN: dict[str, Callable[[Sequence[Any], Engines], TierIndex]] = {
    "customization": _customizations,
    "webhook": _webhooks,
    "plugin": _plugins,
}


def check_tiers(names: Iterable[str]) -> tuple[str, ...]:
    """Names of tiers, in their order.

    Raises:
        ConfigurationError: A name is unknown.
    """
    given = set(texts(names, "tiers"))
    unknown = sorted(given.difference(ALL_TIERS))
    if unknown:
        raise ConfigurationError(
            f"unknown tier {unknown[0]!r}", hint=f"one of {', '.join(ALL_TIERS)}"
        )
    return tuple(name for name in ALL_TIERS if name in given)


def texts(values: Any, what: str) -> tuple[str, ...]:
    """A list of texts that a caller gave for ``what``.

    Raises:
        ConfigurationError: It is no list, or holds something else.
    """
    found = listed(values, what)
    for text in found:
        if not isinstance(text, str):
            raise ConfigurationError(f"{what} must be a list of texts", value=text)
    return found


def listed(values: Any, what: str) -> tuple[Any, ...]:
    """A list that a caller gave for ``what``; one text or one mapping is none.

    Raises:
        ConfigurationError: It is no list.
    """
    if isinstance(values, Iterable) and not isinstance(values, (str, bytes, Mapping)):
        return tuple(values)
    raise ConfigurationError(f"{what} must be a list", value=values)


def documents(values: Any, what: str) -> tuple[Any, ...]:
    """Documents that a caller gave, as copies: what becomes of the caller's is its own affair.

    Raises:
        ConfigurationError: It is no list.
        InvalidObject: A document is nested too deeply.
    """
    found = listed(values, what)
    return tuple(guard_depth(functools.partial(deep_copy, value)) for value in found)
