"""What a plugin must be: registration with pluggy, and every check that can be made at load."""

from __future__ import annotations

import difflib
import types
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pluggy

from interpreter import hookspecs
from interpreter.api.claims import CLAIMS_ATTRIBUTE, Claim
from interpreter.api.operation import Operation
from interpreter.errors import ConfigurationError, PluginError
from interpreter.operations import OPERATION_OF_HOOK


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
class Contract:
    """What one plugin object offers.

    Attributes:
        claims: Kinds and operations.
        hooks: Hook implementations, each with the operation it answers.
        before: Names of plugins that it wants to be asked before.
        after: Names of plugins that it wants to be asked after.
        warnings: What works today and will not for ever, such as a deprecated hook.
    """

    claims: tuple[Claim, ...]
    hooks: tuple[tuple[pluggy.HookImpl, Operation], ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    warnings: tuple[str, ...]


def new_manager() -> pluggy.PluginManager:
    """A plugin manager with the hooks' specifications."""
    manager = _PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    return manager


def parts_of(plugin: object) -> Iterator[object]:
    """The objects that hold a plugin's hooks.

    A module may hold hooks itself, or classes that ``handles`` decorates or that have it as a hook,
    or both.
    """
    if not isinstance(plugin, types.ModuleType):
        yield plugin
        return
    classes = [
        value
        for value in vars(plugin).values()
        if isinstance(value, type)
        and value.__module__ == plugin.__name__
        and (CLAIMS_ATTRIBUTE in vars(value) or _is_marked(vars(value).get("handles")))
    ]
    marked = any(_is_marked(value) for value in vars(plugin).values())
    if marked or not classes:
        yield plugin
    yield from classes


def register(manager: pluggy.PluginManager, plugin: object, name: str, key: str) -> Contract:
    """Registers one plugin object and checks it.

    Args:
        manager: Where to register it.
        plugin: Module, object, or class (made once, without arguments).
        name: Name of the plugin, for errors.
        key: Name inside the manager.

    Raises:
        PluginError: It cannot be used; the message names it and what to change.
    """
    if isinstance(plugin, type):
        plugin = _instantiate(plugin, name)
    _check_api_version(plugin, name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DeprecationWarning)
        try:
            manager.register(plugin, key)
        except pluggy.PluginValidationError as error:
            raise _unfit(name, error) from None
    try:
        _check_known(manager, plugin, name)
        claims = _claims_of(manager, plugin, name)
        hooks = _hooks_of(manager, plugin)
        _check_names(plugin, name, hooks, claims)
        _check_wrappers(hooks, name)
        before, after = _order_of(plugin, name, "before"), _order_of(plugin, name, "after")
    except PluginError:
        manager.unregister(name=key)
        raise
    answering = tuple((hook, operation) for hook, operation in hooks if operation is not None)
    told = tuple(" ".join(str(warning.message).split()) for warning in caught)
    return Contract(claims, answering, before, after, told)


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


def _check_api_version(plugin: object, name: str) -> None:
    wanted = getattr(plugin, "requires_api", None)
    if wanted is not None and wanted != hookspecs.API_VERSION:
        raise PluginError(
            f"plugin {name!r} requires hook API {wanted!r}, this is {hookspecs.API_VERSION!r}",
            plugin=name,
            hint="install a version of the plugin, or of this package, that fits the other",
        )


def _claims_of(manager: pluggy.PluginManager, plugin: object, name: str) -> tuple[Claim, ...]:
    decorated: tuple[Claim, ...] = getattr(type(plugin), CLAIMS_ATTRIBUTE, ())
    stated: Any = ()
    for hook in manager.hook.handles.get_hookimpls():
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
    if isinstance(stated, Claim) or not isinstance(stated, Iterable):
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


def _check_known(manager: pluggy.PluginManager, plugin: object, name: str) -> None:
    for caller in manager.get_hookcallers(plugin) or ():
        if not caller.has_spec():
            close = difflib.get_close_matches(caller.name, OPERATION_OF_HOOK, n=1)
            raise PluginError(
                f"plugin {name!r} does not fit the hooks: unknown hook {caller.name!r}",
                plugin=name,
                hint=f"{close[0]}?" if close else None,
            )


def _hooks_of(
    manager: pluggy.PluginManager, plugin: object
) -> list[tuple[pluggy.HookImpl, Operation | None]]:
    return [
        (hook, OPERATION_OF_HOOK.get(caller.name))
        for caller in manager.get_hookcallers(plugin) or ()
        for hook in caller.get_hookimpls()
        if hook.plugin is plugin
    ]


def _check_names(
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


def _check_wrappers(hooks: Iterable[tuple[pluggy.HookImpl, Operation | None]], name: str) -> None:
    for hook, _operation in hooks:
        if hook.hookwrapper:
            raise PluginError(
                f"plugin {name!r}: {hook.function.__name__} is an old-style hook wrapper",
                plugin=name,
                hint="use @hookimpl(wrapper=True)",
            )


def _order_of(plugin: object, name: str, attribute: str) -> tuple[str, ...]:
    names = getattr(plugin, attribute, ())
    if isinstance(names, str):
        names = (names,)
    if not isinstance(names, (list, tuple)) or not all(isinstance(one, str) for one in names):
        raise PluginError(
            f"plugin {name!r}: {attribute} must be a list of plugin names",
            plugin=name,
            value=names,
        )
    return tuple(names)


def _is_marked(value: object) -> bool:
    return hasattr(value, f"{hookspecs.PROJECT}_impl")


def _is_decorated(plugin: object) -> bool:
    return getattr(type(plugin), CLAIMS_ATTRIBUTE, None) is not None


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


def check_name(manager: pluggy.PluginManager, name: str) -> None:
    """Raises ConfigurationError when a plugin of that name is registered."""
    if manager.has_plugin(name):
        raise ConfigurationError(
            f"two plugins are named {name!r}", hint="give one of them a `name` attribute"
        )
