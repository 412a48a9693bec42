"""What plugins bring for the scheduler: the hooks that return lists and claim no kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.api.scheduling import SchedulerParts
from interpreter.errors import PluginError
from interpreter.registry.plugins import PluginTier


def scheduler_parts(tier: PluginTier, skipped: Callable[[str], bool]) -> SchedulerParts:
    """Filters, scores and estimators of all plugins, in the order of the plugins' names.

    Args:
        tier: The plugins; every one is loaded for this.
        skipped: Whether a plugin is not to be asked, by name.

    Raises:
        PluginError: A hook raised, or returned no list; in strict mode, a plugin cannot be used.
    """

    def gather(hook: str) -> tuple[Any, ...]:
        found: list[Any] = []
        for name, function in tier.implementations(hook):
            if not skipped(name):
                found.extend(_asked(name, hook, function))
        return tuple(found)

    tier.load()
    return SchedulerParts(
        filters=gather("scheduler_filters"),
        scores=gather("scheduler_scores"),
        estimators=gather("replica_estimators"),
    )


def _asked(name: str, hook: str, function: Callable[[], Any]) -> list[Any] | tuple[Any, ...]:
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
    return brought
