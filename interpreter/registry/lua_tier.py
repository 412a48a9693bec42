"""The customization tier: Lua rules as the registry's implementations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.api.context import HookContext
from interpreter.api.results import NO_STATUS
from interpreter.engines.lua.customizations import LuaRule, customization_rules
from interpreter.engines.lua.engine import LuaEngine
from interpreter.registry.declared import DocumentTier
from interpreter.registry.tiers import Arguments, Call, Implementation

TIER = "customization"


def customization_tier(documents: Iterable[Mapping[str, Any]], engine: LuaEngine) -> DocumentTier:
    """Indexes ResourceInterpreterCustomization documents: most specific target first, then by name.

    Args:
        documents: The documents.
        engine: What runs their scripts.

    Raises:
        InvalidCustomization: A document does not fit its schema, or two have one name.
    """
    rules = customization_rules(documents, engine)
    return DocumentTier(TIER, tuple(map(_implementation, rules)))


def _implementation(rule: LuaRule) -> Implementation:
    return Implementation(
        tier=TIER,
        plugin=rule.customization,
        handler=rule.handler,
        gvk=rule.gvk,
        operation=rule.operation,
        call=_call(rule),
    )


def _call(rule: LuaRule) -> Call:
    def call(arguments: Arguments, context: HookContext) -> Any:
        result = rule.call(arguments, context)
        # A built-in tier answers a caller directly: "nothing to report" is None there. Nobody
        # behind it is asked.
        return None if result is NO_STATUS else result

    return call
