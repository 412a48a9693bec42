"""The customization tier: Lua rules as the registry's implementations."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any

from interpreter.api.context import HookContext
from interpreter.engines.lua.customizations import LuaRule, customization_rules
from interpreter.engines.lua.engine import LuaEngine
from interpreter.errors import InterpreterError
from interpreter.registry.declared import DocumentTier
from interpreter.registry.script_folders import answering
from interpreter.registry.tiers import Arguments, Implementation

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
    if rule.chained:
        return Implementation(
            tier=TIER,
            plugin=rule.customization,
            handler=rule.handler,
            gvk=rule.gvk,
            operation=rule.operation,
            call=_going_on(rule),
            wrapper=True,
            chained=True,
        )
    return Implementation(
        tier=TIER,
        plugin=rule.customization,
        handler=rule.handler,
        gvk=rule.gvk,
        operation=rule.operation,
        call=answering(rule.call),
    )


def _going_on(rule: LuaRule) -> Any:
    """A chained script as a wrapper: the answer of who is inside takes the place of the object."""

    def call(arguments: Arguments, context: HookContext) -> Generator[None, Any, Any]:
        answer = yield
        obj, *others = arguments
        try:
            # Where nobody answers inside, the object itself is what there is to go on with.
            return rule.call((obj if answer is None else answer, *others), context)
        except InterpreterError as error:
            error.annotate(tier=TIER, plugin=rule.customization)
            raise

    return call
