"""The plugin tier: Python plugins and Lua packs, loaded when one of their kinds is asked for."""

from __future__ import annotations

import functools
import itertools
import logging
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.api.claims import Claim
from interpreter.api.operation import Operation
from interpreter.errors import InterpreterError, PluginError
from interpreter.machinery.gvk import ANY, GVK
from interpreter.machinery.wording import visible
from interpreter.registry.faults import is_fault, told
from interpreter.registry.foreign import answering, wrapping
from interpreter.registry.plugin_contract import (
    Contract,
    check_name,
    new_manager,
    parts_of,
    register,
)
from interpreter.registry.plugin_order import Conflict, Order, order_of
from interpreter.registry.plugin_reports import PluginReport, report_of
from interpreter.registry.plugin_sources import Source
from interpreter.registry.quarantine import Watch
from interpreter.registry.tiers import Call, Implementation
from interpreter.telemetry import Telemetry

if TYPE_CHECKING:
    from interpreter.engines.lua.engine import LuaEngine

_TIER = "plugin"
_LOGGER = logging.getLogger("interpreter.plugins")


@dataclass(frozen=True, slots=True)
class _Entry:
    """One claim of one implementation."""

    claim: Claim
    implementation: Implementation


@dataclass(slots=True)
class _Plugin:
    """A plugin and what has become of it.

    Attributes:
        source: Where it comes from.
        watch: Its failures.
        loaded: Whether loading was tried.
        contracts: What its objects offer.
        problem: Why it could not be loaded.
        trace: The traceback of that.
        notes: What is odd about it.
        entries: Its claims.
    """

    source: Source
    watch: Watch
    loaded: bool = False
    contracts: tuple[Contract, ...] = ()
    problem: str | None = None
    trace: str | None = None
    notes: tuple[str, ...] = ()
    entries: tuple[_Entry, ...] = ()


class PluginTier:
    """Python plugins and Lua packs.

    The most specific claim is asked first, then priority, then ``before`` and ``after``, then name.
    Safe to share between threads.
    """

    tier = _TIER

    def __init__(
        self,
        sources: Iterable[Source],
        *,
        engine: Callable[[], LuaEngine],
        strict: bool = False,
        failures: int = 0,
        telemetry: Telemetry | None = None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """Lists plugins; those that the caller gave as objects are registered now.

        Args:
            sources: The plugins.
            engine: Gives what runs the scripts of packs.
            strict: Whether everything is loaded now, a plugin that fails is an error, and so is
                one that changes its input.
            failures: Consecutive failures until a plugin is no longer asked; 0 for never.
            telemetry: Where failures are counted for operators.
            changed: Called when routes that were computed no longer hold.

        Raises:
            PluginError: A plugin that was given, or in strict mode any, cannot be used; the message
                names it and what to change.
            ConfigurationError: Two plugins have one name.
        """
        self._manager = new_manager()
        self._engine = engine
        self._strict = strict
        self._lock = threading.RLock()
        self._changed = changed
        self._loading = self._asked_early = False
        watch = functools.partial(
            Watch, limit=failures, telemetry=telemetry or Telemetry(), changed=changed
        )
        self._plugins = [_Plugin(source, watch(source.name)) for source in sources]
        self._entries: dict[Operation, tuple[_Entry, ...]] = dict.fromkeys(Operation, ())
        self._order: Order = order_of({})
        self._pending = [plugin for plugin in self._plugins if plugin.source.blocked is None]
        now = [plugin for plugin in self._pending if strict or plugin.source.given]
        self._load(now)

    @property
    def names(self) -> frozenset[str]:
        """Names of all plugins, loaded or not."""
        return frozenset(plugin.source.name for plugin in self._plugins)

    def find(self, gvk: GVK, operation: Operation) -> Sequence[Implementation]:
        """Implementations whose claims match, each hook once, by its most specific claim."""
        if self._pending:
            self._load([one for one in self._pending if _may_claim(one.source, gvk)])
        found: dict[Call, Implementation] = {}
        for entry in self._entries[operation]:
            if entry.claim.gvk.matches(gvk):
                found.setdefault(entry.implementation.call, entry.implementation)
        return (*found.values(), *self._failed(gvk, operation))

    def all(self) -> Iterable[Implementation]:
        """One implementation for each claim and operation; everything is loaded for that."""
        self.load()
        for entries in self._entries.values():
            yield from (entry.implementation for entry in entries)

    def load(self) -> None:
        """Loads every plugin that may be.

        Raises:
            PluginError: In strict mode, a plugin cannot be used.
        """
        self._load(list(self._pending))

    def reports(self) -> list[PluginReport]:
        """What is known of every plugin, by name; nothing is loaded for that."""
        with self._lock:
            return [
                report_of(
                    plugin.source,
                    loaded=plugin.loaded,
                    contracts=plugin.contracts,
                    implementations=[entry.implementation for entry in plugin.entries],
                    problem=plugin.problem,
                    trace=plugin.trace or plugin.watch.trace,
                    notes=(*plugin.notes, *self._circles(plugin)),
                    watch=plugin.watch,
                )
                for plugin in sorted(self._plugins, key=lambda one: one.source.name)
            ]

    def implementations(self, hook: str) -> list[tuple[str, Callable[[], Any]]]:
        """Implementations of a hook without arguments, by plugin; of those that are loaded."""
        with self._lock:
            found = [
                (str(self._manager.get_name(entry.plugin)), entry.function)
                for entry in getattr(self._manager.hook, hook).get_hookimpls()
            ]
        # The second and later objects of a plugin are registered as <plugin>#<number>.
        return [
            (key.partition("#")[0], call) for key, call in sorted(found, key=lambda one: one[0])
        ]

    def conflicts(self) -> list[Conflict]:
        """Claims among which only the names of plugins decide, of plugins that are loaded."""
        same: dict[tuple[GVK, Operation, int], list[str]] = {}
        for operation, entries in self._entries.items():
            for entry in entries:
                if not entry.implementation.wrapper:
                    key = (entry.claim.gvk, operation, entry.claim.priority)
                    same.setdefault(key, []).append(entry.implementation.plugin)
        return [
            Conflict(gvk, operation, tuple(dict.fromkeys(names)))
            for (gvk, operation, _priority), names in same.items()
            if any(pair not in self._order.decided for pair in _neighbours(names))
        ]

    def _circles(self, plugin: _Plugin) -> Iterator[str]:
        if plugin.source.name in self._order.circles:
            yield f"before and after of {', '.join(self._order.circles)} contradict each other"

    def _load(self, plugins: Sequence[_Plugin]) -> None:
        if not plugins:
            return
        with self._lock:
            if self._loading:
                # A plugin asks while it is imported: it is answered by those that are there, and
                # the routes that come of it must not stay.
                self._asked_early = True
                return
            self._loading = True
            try:
                for plugin in plugins:
                    if not plugin.loaded:
                        plugin.loaded = True
                        self._load_one(plugin)
            finally:
                self._loading = False
            self._sort()
            # Last: who finds nothing pending finds everything in its place.
            self._pending = [plugin for plugin in self._pending if not plugin.loaded]
            early, self._asked_early = self._asked_early, False
        if early:
            self._changed()

    def _load_one(self, plugin: _Plugin) -> None:
        source = plugin.source
        try:
            loaded = source.load()
            if isinstance(loaded, Path):
                plugin.entries = tuple(self._pack_entries(plugin, loaded))
                return
            plugin.contracts = tuple(self._contracts(loaded, source.name))
            plugin.entries = tuple(self._entries_of(plugin))
            unlike = tuple(_undeclared(plugin))
            if unlike and self._strict:
                raise PluginError(f"plugin {source.name!r} {unlike[0]}", plugin=source.name)
            warnings = [text for contract in plugin.contracts for text in contract.warnings]
            plugin.notes = (*unlike, *warnings)
        except BaseException as error:
            if not is_fault(error):
                plugin.loaded = False
                raise
            problem = told(error)
            if source.given:
                if isinstance(error, InterpreterError):
                    raise
                raise _unusable_plugin(source, problem) from error
            plugin.problem = problem
            plugin.trace = "".join(traceback.format_exception(error))
            # The traceback is kept with the plugin: a log of a fleet is no place for it.
            _LOGGER.error("plugin %s cannot be used: %s", visible(source.name), visible(problem))  # noqa: TRY400
            if self._strict:
                raise _unusable_plugin(source, problem) from error

    def _forget(self, name: str) -> None:
        """Takes what is registered of a plugin out again."""
        for key, _plugin in self._manager.list_name_plugin():
            if key == name or key.startswith(f"{name}#"):
                self._manager.unregister(name=key)

    def _contracts(self, loaded: object, name: str) -> Iterator[Contract]:
        check_name(self._manager, name)
        try:
            for number, part in enumerate(parts_of(loaded)):
                key = name if number == 0 else f"{name}#{number}"
                yield register(self._manager, part, name, key)
        except BaseException:
            self._forget(name)
            raise

    def _entries_of(self, plugin: _Plugin) -> Iterator[_Entry]:
        name, declared = plugin.source.name, plugin.source.claims
        for contract in plugin.contracts:
            for hook, operation in contract.hooks:
                function = hook.function
                make = wrapping if hook.wrapper else answering
                call = make(
                    function,
                    tuple(hook.argnames),
                    operation,
                    name,
                    watch=plugin.watch,
                    strict=self._strict,
                )
                for claim in contract.claims:
                    if claim.covers(operation) and _is_declared(claim, declared):
                        implementation = Implementation(
                            tier=_TIER,
                            plugin=name,
                            handler=f"{getattr(function, '__module__', name)}."
                            f"{function.__qualname__}",
                            gvk=claim.gvk,
                            operation=operation,
                            call=call,
                            final=False,
                            wrapper=hook.wrapper,
                            counted=not hook.wrapper,
                            asks_below="context" in hook.argnames,
                            unavailable=plugin.watch.reason,
                        )
                        yield _Entry(claim, implementation)

    def _pack_entries(self, plugin: _Plugin, folder: Path) -> Iterator[_Entry]:
        from interpreter.catalogue.folders import find_folders
        from interpreter.registry.script_folders import folder_rows

        folders = find_folders(folder)
        if not folders:
            raise PluginError(
                f"there is no script in {folder}",
                hint="wanted: <group>/<version>/<Kind>/get_replicas.lua and the like",
            )
        for kind in folders:
            for row in folder_rows(_TIER, kind, self._engine(), plugin=plugin.source.name):
                yield _Entry(Claim(row.gvk), row)

    def _sort(self) -> None:
        stated = {
            plugin.source.name: (
                [name for contract in plugin.contracts for name in contract.before],
                [name for contract in plugin.contracts for name in contract.after],
            )
            for plugin in self._plugins
        }
        self._order = order_of(stated)
        entries: dict[Operation, list[_Entry]] = {operation: [] for operation in Operation}
        for plugin in self._plugins:
            for entry in plugin.entries:
                entries[entry.implementation.operation].append(entry)
        for found in entries.values():
            found.sort(key=self._rank)
        self._entries = {operation: tuple(found) for operation, found in entries.items()}

    def _rank(self, entry: _Entry) -> tuple[Any, ...]:
        position = self._order.position[entry.implementation.plugin]
        return (entry.claim.gvk.generality, -entry.claim.priority, position)

    def _failed(self, gvk: GVK, operation: Operation) -> Iterator[Implementation]:
        """Plugins that declare the kind and cannot be asked, so that people see why."""
        for plugin in self._plugins:
            reason = plugin.problem or plugin.source.blocked
            claims = plugin.source.claims or ()
            if reason is not None and any(claim.matches(gvk) for claim in claims):
                yield _unusable(plugin.source, gvk, operation, reason)


def _unusable_plugin(source: Source, problem: str) -> PluginError:
    where = f" ({source.value})" if source.value else ""
    return PluginError(
        f"plugin {source.name!r}{where} cannot be used: {problem}", tier=_TIER, plugin=source.name
    )


def _unusable(source: Source, gvk: GVK, operation: Operation, reason: str) -> Implementation:
    def call(_arguments: Any, _context: Any) -> Any:
        return None

    text = f"blocked: {reason}" if source.blocked else f"cannot be used: {reason}"
    return Implementation(
        tier=_TIER,
        plugin=source.name,
        handler=source.value,
        gvk=gvk,
        operation=operation,
        call=call,
        final=False,
        counted=False,
        unavailable=lambda: text,
    )


def _may_claim(source: Source, gvk: GVK) -> bool:
    return source.claims is None or any(claim.matches(gvk) for claim in source.claims)


def _is_declared(claim: Claim, declared: tuple[GVK, ...] | None) -> bool:
    return declared is None or any(kind.matches(claim.gvk) for kind in declared)


def _undeclared(plugin: _Plugin) -> Iterator[str]:
    """How what a plugin claims is unlike what its metadata declares."""
    declared = plugin.source.claims
    claims = [claim for contract in plugin.contracts for claim in contract.claims]
    for claim in claims:
        if not _is_declared(claim, declared):
            yield f"claims {claim.gvk}, which its metadata does not declare: not asked for it"
    for kind in declared or ():
        if kind != ANY and not any(kind.matches(claim.gvk) for claim in claims):
            yield f"does not claim {kind}, which its metadata declares"


def _neighbours(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    distinct = list(dict.fromkeys(names))
    return itertools.pairwise(distinct)
