"""Lua rules as the registry's implementations: of customizations, and of script folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from interpreter.api.context import HookContext
from interpreter.api.results import NO_STATUS
from interpreter.catalogue.folders import KindFolder, read_script
from interpreter.catalogue.kind_files import targets_of
from interpreter.engines.lua.customizations import LuaRule, customization_rules, script_call
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script
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


def folder_rows(tier: str, folder: KindFolder, engine: LuaEngine) -> Iterator[Implementation]:
    """The scripts of a folder, for each kind and pattern that they serve.

    Args:
        tier: The tier they belong to.
        folder: The folder.
        engine: What runs the scripts.

    Raises:
        InvalidCustomization: A script or ``kind.yaml`` cannot be read.
    """
    targets = targets_of(folder)
    for spec, path in folder.scripts:
        name = f"{folder.gvk}/{path.name}"
        script = Script(name, read_script(path), spec.operation.value)
        call = _answering(script_call(engine, spec.operation, [script]))
        for gvk in targets:
            yield Implementation(tier, tier, name, gvk, spec.operation, call)


def _implementation(rule: LuaRule) -> Implementation:
    return Implementation(
        tier=TIER,
        plugin=rule.customization,
        handler=rule.handler,
        gvk=rule.gvk,
        operation=rule.operation,
        call=_answering(rule.call),
    )


def _answering(call: Call) -> Call:
    """A script's call as a built-in tier's: it answers a caller directly.

    "Nothing to report" is None there. Nobody behind such a tier is asked.
    """

    def answer(arguments: Arguments, context: HookContext) -> Any:
        result = call(arguments, context)
        return None if result is NO_STATUS else result

    return answer
