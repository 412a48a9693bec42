"""Putting a registry's tiers together. Engines are imported only for tiers that are used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from interpreter.api.operation import Operation
from interpreter.errors import ConfigurationError
from interpreter.machinery.gvk import GVK
from interpreter.registry.tiers import ALL_TIERS, TierIndex, table_tier

_ANY = GVK("*", "*", "*")


def build_tiers(
    names: Iterable[str],
    customizations: Sequence[Mapping[str, Any]],
    webhooks: Sequence[Mapping[str, Any]],
    plugins: Sequence[object],
) -> list[TierIndex]:
    """The tiers of the given names, in their order.

    Engines are imported only for tiers that are used.

    Raises:
        InvalidCustomization: A document cannot be used.
        PluginError: A plugin cannot be used.
    """
    tiers: list[TierIndex] = []
    for name in names:
        if name == "customization" and customizations:
            from interpreter.registry.declared import customization_tier

            tiers.append(customization_tier(customizations))
        elif name == "webhook" and webhooks:
            from interpreter.registry.declared import webhook_tier

            tiers.append(webhook_tier(webhooks))
        elif name == "plugin" and plugins:
            from interpreter.registry.plugins import PluginTier

            tiers.append(PluginTier(plugins))
        elif name == "native":
            from interpreter.engines.native.table import handlers

            tiers.append(table_tier(name, handlers()))
        elif name == "generic":
            from interpreter.engines.generic import interpret_health

            table = {(_ANY, Operation.INTERPRET_HEALTH): interpret_health}
            tiers.append(table_tier(name, table, counted=False))
    return tiers


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


def texts(values: Iterable[str], what: str) -> tuple[str, ...]:
    """A list of texts that a caller gave for ``what``.

    Raises:
        ConfigurationError: It is one text, or holds something else.
    """
    if isinstance(values, str):
        raise ConfigurationError(f"{what} must be a list of texts, not one text", value=values)
    found = tuple(values)
    for text in found:
        if not isinstance(text, str):
            raise ConfigurationError(f"{what} must be a list of texts", value=text)
    return found
