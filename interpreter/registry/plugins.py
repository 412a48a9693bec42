"""Python plugins: registration with pluggy, their claims, and the order among them."""

from __future__ import annotations

import difflib
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pluggy

from interpreter import hookspecs
from interpreter.api.claims import CLAIMS_ATTRIBUTE, Claim
from interpreter.api.operation import Operation
from interpreter.errors import ConfigurationError, PluginError
from interpreter.machinery.gvk import GVK
from interpreter.operations import OPERATION_OF_HOOK
from interpreter.registry.foreign import answering, wrapping
from interpreter.registry.tiers import Call, Implementation

_TIER = "plugin"


class _PluginManager(pluggy.PluginManager):
    """Takes methods named like hooks as hooks in a class that ``handles`` decorates."""

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        options = super().parse_hookimpl_opts(plugin, name)
        if options is not None or name not in OPERATION_OF_HOOK:
            return options
        if not _is_decorated(plugin):
            return None
        if not callable(getattr(plugin, name, None)):
            return None
        return {
            "wrapper": False,
            "hookwrapper": False,
            "optionalhook": False,
            "trylast": False,
            "tryfirst": False,
            "specname": None,
        }


@dataclass(frozen=True, slots=True)
class _Entry:
    """One claim of one implementation, with its rank among equals."""

    claim: Claim
    implementation: Implementation

    @property
    def rank(self) -> tuple[Any, ...]:
        """Sort key: most specific, then largest priority, then name."""
        return (self.claim.gvk.generality, -self.claim.priority, self.implementation.plugin)


class PluginTier:
    """Python plugins, each registered once.

    The most specific claim is asked first, then priority, then name.
    """

    tier = _TIER

    def __init__(self, plugins: Iterable[object]) -> None:
        """Registers plugins.

        Args:
            plugins: Modules, objects, or classes (instantiated once, without arguments).

        Raises:
            PluginError: A plugin cannot be used; the message names it and what to change.
            ConfigurationError: Two plugins have one name, or an entry is a name.
        """
        self.manager = _PluginManager(hookspecs.PROJECT)
        self.manager.add_hookspecs(hookspecs)
        self._entries: dict[Operation, list[_Entry]] = {operation: [] for operation in Operation}
        for plugin in plugins:
            self._register(plugin)
        for entries in self._entries.values():
            entries.sort(key=lambda entry: entry.rank)

    def find(self, gvk: GVK, operation: Operation) -> Sequence[Implementation]:
        """Implementations whose claims match, each hook once, by its most specific claim."""
        found: dict[Call, Implementation] = {}
        for entry in self._entries[operation]:
            if entry.claim.gvk.matches(gvk):
                found.setdefault(entry.implementation.call, entry.implementation)
        return tuple(found.values())

    def all(self) -> Iterable[Implementation]:
        """One implementation for each claim and operation."""
        for entries in self._entries.values():
            yield from (entry.implementation for entry in entries)

    def parts(self, hook: str, skipped: Callable[[str], bool]) -> tuple[Any, ...]:
        """What plugins bring by a hook that returns lists, in the order of their names.

        Args:
            hook: ``scheduler_filters``, ``scheduler_scores`` or ``replica_estimators``.
            skipped: Whether a plugin is not to be asked, by name.

        Raises:
            PluginError: A hook raised, or returned no list.
        """
        found: list[Any] = []
        named = [
            (self.manager.get_name(entry.plugin) or "", entry.function)
            for entry in getattr(self.manager.hook, hook).get_hookimpls()
        ]
        for name, function in sorted(named, key=lambda entry: entry[0]):
            if skipped(name):
                continue
            try:
                brought = function()
            except Exception as error:
                raise PluginError(
                    f"plugin {name!r}: {hook}() raised {type(error).__name__}: {error}", plugin=name
                ) from error
            if not isinstance(brought, (list, tuple)):
                raise PluginError(
                    f"plugin {name!r}: {hook}() must return a list", plugin=name, value=brought
                )
            found.extend(brought)
        return tuple(found)

    def _register(self, plugin: object) -> None:
        if isinstance(plugin, str):
            raise ConfigurationError(
                f"plugins: {plugin!r} is a name, and this version takes plugins as objects only",
                hint="pass the module, class or object itself",
            )
        name = plugin_name(plugin)
        if isinstance(plugin, type):
            plugin = _instantiate(plugin, name)
        if self.manager.has_plugin(name):
            raise ConfigurationError(
                f"two plugins are named {name!r}", hint="give one of them a `name` attribute"
            )
        try:
            self.manager.register(plugin, name)
        except pluggy.PluginValidationError as error:
            raise _unfit(name, error) from None
        self._check_known(plugin, name)
        claims = self._claims_of(plugin, name)
        hooks = self._hooks_of(plugin)
        self._check_names(plugin, name, hooks, claims)
        for hook, operation in hooks:
            if operation is not None:
                self._add(hook, operation, claims, name)

    def _claims_of(self, plugin: object, name: str) -> tuple[Claim, ...]:
        decorated: tuple[Claim, ...] = getattr(type(plugin), CLAIMS_ATTRIBUTE, ())
        stated: Any = ()
        for hook in self.manager.hook.handles.get_hookimpls():
            if hook.plugin is plugin:
                try:
                    stated = hook.function()
                    if isinstance(stated, Iterable):
                        stated = tuple(stated)
                except Exception as error:
                    raise PluginError(
                        f"plugin {name!r}: handles() raised {type(error).__name__}: {error}",
                        plugin=name,
                    ) from error
        if isinstance(stated, Claim):
            stated = (stated,)
        if not isinstance(stated, Iterable):
            stated = (stated,)
        claims = (*decorated, *stated)
        for claim in claims:
            if not isinstance(claim, Claim):
                raise PluginError(
                    f"plugin {name!r}: handles() must return a list of interpreter.handles(…)",
                    plugin=name,
                    value=claim,
                )
        return claims

    def _check_known(self, plugin: object, name: str) -> None:
        for caller in self.manager.get_hookcallers(plugin) or ():
            if not caller.has_spec():
                close = difflib.get_close_matches(caller.name, OPERATION_OF_HOOK, n=1)
                raise PluginError(
                    f"plugin {name!r} does not fit the hooks: unknown hook {caller.name!r}",
                    plugin=name,
                    hint=f"{close[0]}?" if close else None,
                )

    def _hooks_of(self, plugin: object) -> list[tuple[pluggy.HookImpl, Operation | None]]:
        return [
            (hook, OPERATION_OF_HOOK.get(caller.name))
            for caller in self.manager.get_hookcallers(plugin) or ()
            for hook in caller.get_hookimpls()
            if hook.plugin is plugin
        ]

    def _check_names(
        self,
        plugin: object,
        name: str,
        hooks: list[tuple[pluggy.HookImpl, Operation | None]],
        claims: tuple[Claim, ...],
    ) -> None:
        """What is silently no hook at all is nearly always a mistake."""
        answered = {operation for _hook, operation in hooks if operation is not None}
        if answered and not claims:
            raise PluginError(
                f"plugin {name!r} does not say which kinds it handles",
                plugin=name,
                hint="add a handles() hook, or decorate the class with interpreter.handles(…)",
            )
        for attribute in dir(type(plugin)) if _is_decorated(plugin) else ():
            close = difflib.get_close_matches(attribute, OPERATION_OF_HOOK, n=1, cutoff=0.85)
            if close and attribute not in OPERATION_OF_HOOK:
                raise PluginError(
                    f"plugin {name!r}: {attribute} is no hook", hint=f"{close[0]}?", plugin=name
                )
        for claim in claims:
            missing = sorted(set(claim.operations or ()) - answered)
            if missing:
                raise PluginError(
                    f"plugin {name!r} claims {missing[0]} of {claim.gvk}, but has no hook for it",
                    plugin=name,
                )
        if not hooks or (claims and not answered):
            raise PluginError(
                f"plugin {name!r} has no hooks",
                plugin=name,
                hint="mark methods with @hookimpl, or decorate the class with handles(…)",
            )

    def _add(
        self, hook: pluggy.HookImpl, operation: Operation, claims: tuple[Claim, ...], name: str
    ) -> None:
        if hook.hookwrapper:
            raise PluginError(
                f"plugin {name!r}: {hook.function.__name__} is an old-style hook wrapper",
                plugin=name,
                hint="use @hookimpl(wrapper=True)",
            )
        function = hook.function
        label = f"{getattr(function, '__module__', name)}.{function.__qualname__}"
        make = wrapping if hook.wrapper else answering
        call = make(function, tuple(hook.argnames), operation, name)
        for claim in claims:
            if claim.covers(operation):
                implementation = Implementation(
                    tier=_TIER,
                    plugin=name,
                    handler=label,
                    gvk=claim.gvk,
                    operation=operation,
                    call=call,
                    final=False,
                    wrapper=hook.wrapper,
                    counted=not hook.wrapper,
                )
                self._entries[operation].append(_Entry(claim, implementation))


def _is_decorated(plugin: object) -> bool:
    return getattr(type(plugin), CLAIMS_ATTRIBUTE, None) is not None


def plugin_name(plugin: object) -> str:
    """A plugin's name.

    Its ``name`` attribute when that is a text, else that of its module or class.
    """
    try:
        name = getattr(plugin, "name", None)
    except Exception:
        name = None
    if isinstance(name, str) and name:
        return name
    if isinstance(plugin, types.ModuleType):
        return plugin.__name__
    cls = plugin if isinstance(plugin, type) else type(plugin)
    return cls.__name__


def _unfit(name: str, error: pluggy.PluginValidationError) -> PluginError:
    problem = " ".join(str(error).split())
    return PluginError(f"plugin {name!r} does not fit the hooks: {problem}", plugin=name)


def _instantiate(cls: type, name: str) -> object:
    try:
        return cls()
    except Exception as error:
        raise PluginError(
            f"plugin {name!r}: the class cannot be made without arguments: {error}",
            plugin=name,
            hint="pass an instance instead",
        ) from error
