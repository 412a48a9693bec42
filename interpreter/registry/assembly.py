"""Putting a registry's tiers together. Engines are imported only for tiers that are used."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from interpreter.api.operation import Operation
from interpreter.errors import ConfigurationError, InterpreterError
from interpreter.machinery.gvk import ANY
from interpreter.registry.disabling import Disabled
from interpreter.registry.given import texts
from interpreter.registry.registry import Registry
from interpreter.registry.tiers import ALL_TIERS, TierIndex, table_tier
from interpreter.registry.tracing import traced
from interpreter.settings import DEFAULTS, Settings
from interpreter.telemetry import Telemetry

if TYPE_CHECKING:
    from interpreter.engines.lua.engine import LuaEngine
    from interpreter.engines.webhook.engine import WebhookEngine
    from interpreter.registry.plugins import PluginTier


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
        telemetry: Telemetry,
    ) -> None:
        """Keeps what tiers are made of; nothing is built yet.

        Args:
            names: Tiers to use, in their order.
            given: Documents or plugins by tier.
            disabled: What is not to be asked.
            isolation: Where scripts run: ``"thread"`` or ``"process"``.
            settings: Limits.
            telemetry: Counts what engines and plugins do.
        """
        self._telemetry = telemetry
        self._engines = Engines(isolation, settings, telemetry)
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

    def plugins(self) -> PluginTier | None:
        """The tier of plugins, None when there are none or it is not used.

        Raises:
            InterpreterError: A document or plugin cannot be used, or it is closed.
        """
        self.registry()
        return cast("PluginTier | None", self._tiers.get("plugin"))

    def restricted(self, names: tuple[str, ...], below: tuple[str, ...] = ()) -> Restricted:
        """Some of its tiers, and those that they may ask below them."""
        return Restricted(self, names, below)

    def close(self) -> None:
        """Ends it."""
        with self._lock:
            self._closed = True
            self.current = None
            self._tiers = {}
            self._engines.close()

    def _build(self, name: str) -> TierIndex | None:
        given = self._given.get(name, ())
        if name == "plugin":
            return self._plugin_tier(given) if given else None
        return build_tier(name, given, self._engines)

    def _plugin_tier(self, sources: tuple[Any, ...]) -> TierIndex:
        from interpreter.registry.plugins import PluginTier

        return PluginTier(
            sources,
            engine=self._engines.lua,
            strict=self._settings.strict_plugins,
            failures=self._settings.plugin_failures,
            telemetry=self._telemetry,
            changed=self._forget_routes,
        )

    def _join(self, tiers: dict[str, TierIndex | None]) -> None:
        self.current = Registry(
            (tier for tier in tiers.values() if tier is not None),
            disabled=self._disabled,
            cache_size=self._settings.route_cache_size,
            trace=traced if self._settings.trace else None,
        )
        self._tiers = tiers

    def _forget_routes(self) -> None:
        """A plugin is no longer asked: routes are computed anew."""
        with self._lock:
            if self.current is not None:
                self._join(self._tiers)

    def _check_open(self) -> None:
        if self._closed:
            raise InterpreterError("this ResourceInterpreter is closed", hint="make a new one")


class Restricted:
    """Some tiers of an assembly: another view of the same plugins, documents and engines.

    It follows the assembly's swaps. Safe to share between threads.
    """

    def __init__(self, whole: Tiers, names: tuple[str, ...], below: tuple[str, ...] = ()) -> None:
        """Keeps what it is a part of."""
        self._whole = whole
        self._names = names
        self._below = below
        # Both at once, so that no thread sees the one without the other.
        self._made: tuple[Registry, Registry] | None = None

    @property
    def current(self) -> Registry | None:
        """The registry that calls use, None while there is none."""
        whole = self._whole.current
        if whole is None:
            return None
        made = self._made
        if made is None or made[0] is not whole:
            made = self._made = (whole, whole.restricted(self._names, below=self._below))
        return made[1]

    def registry(self) -> Registry:
        """As :meth:`Assembly.registry`."""
        self._whole.registry()
        return self.current or self.registry()

    def swap(self, name: str, given: tuple[Any, ...]) -> None:
        """As :meth:`Assembly.swap`, of the whole."""
        self._whole.swap(name, given)

    def plugins(self) -> PluginTier | None:
        """As :meth:`Assembly.plugins`."""
        return self._whole.plugins() if "plugin" in self._names else None

    def restricted(self, names: tuple[str, ...], below: tuple[str, ...] = ()) -> Restricted:
        """Some of these tiers, and those that they may ask below them."""
        return Restricted(self, names, below)

    def close(self) -> None:
        """Leaves the whole to who made it."""


Tiers: TypeAlias = Assembly | Restricted


class Engines:
    """Engines that outlive a swap of what they run; made when first needed."""

    def __init__(
        self,
        isolation: str = "thread",
        settings: Settings = DEFAULTS,
        telemetry: Telemetry | None = None,
    ) -> None:
        """Keeps how to make them."""
        self._isolation = isolation
        self._settings = settings
        self._telemetry = telemetry
        self._lua: LuaEngine | None = None
        self._webhook: WebhookEngine | None = None

    def lua(self) -> LuaEngine:
        """The Lua engine."""
        if self._lua is None:
            from interpreter.engines.lua.engine import LuaEngine

            self._lua = LuaEngine(settings=self._settings, isolation=self._isolation)
        return self._lua

    def webhook(self) -> WebhookEngine:
        """The engine that asks webhooks."""
        if self._webhook is None:
            from interpreter.engines.webhook.engine import WebhookEngine

            self._webhook = WebhookEngine(settings=self._settings, telemetry=self._telemetry)
        return self._webhook

    def close(self) -> None:
        """Ends them."""
        for engine in (self._lua, self._webhook):
            if engine is not None:
                engine.close()


def build_tier(name: str, given: Sequence[Any], engines: Engines) -> TierIndex | None:
    """One tier.

    Args:
        name: One of ``ALL_TIERS``, but that of plugins.
        given: Documents; built-in tiers need nothing.
        engines: What runs documents.

    Returns:
        The tier, None when it holds nothing.

    Raises:
        InvalidCustomization: A document cannot be used.
    """
    if name in _BUILT_IN:
        return _BUILT_IN[name](engines)
    return _DOCUMENTS[name](given, engines) if given else None


def _customizations(documents: Sequence[Any], engines: Engines) -> TierIndex:
    from interpreter.registry.lua_tier import customization_tier

    return customization_tier(documents, engines.lua())


def _webhooks(documents: Sequence[Any], engines: Engines) -> TierIndex:
    from interpreter.registry.webhook_tier import webhook_tier

    return webhook_tier(documents, engines.webhook())


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
_DOCUMENTS: dict[str, Callable[[Sequence[Any], Engines], TierIndex]] = {
    "customization": _customizations,
    "webhook": _webhooks,
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
