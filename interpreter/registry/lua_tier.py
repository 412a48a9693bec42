"""Lua rules as the registry's implementations: of customizations, and of script folders."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Any

from interpreter.api.context import HookContext
from interpreter.api.results import NO_STATUS
from interpreter.catalogue.folders import KindFolder, read_script
from interpreter.catalogue.kind_files import targets_of
from interpreter.engines.lua.customizations import LuaRule, customization_rules, script_call
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script
from interpreter.errors import InterpreterError
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


def folder_rows(
    tier: str, folder: KindFolder, engine: LuaEngine, *, plugin: str | None = None
) -> Iterator[Implementation]:
    """The scripts of a folder, for each kind and pattern that they serve.

    Args:
        tier: The tier they belong to.
        folder: The folder.
        engine: What runs the scripts.
        plugin: Name inside the tier; the tier's own when None.

    Raises:
        InvalidCustomization: A script or ``kind.yaml`` cannot be read.
    """
    targets = targets_of(folder)
    for spec, path in folder.scripts:
        name = f"{folder.gvk}/{path.name}"
        script = Script(name, read_script(path), spec.operation.value)
        call = _answering(script_call(engine, spec.operation, [script]))
        for gvk in targets:
            yield Implementation(tier, plugin or tier, name, gvk, spec.operation, call)


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
