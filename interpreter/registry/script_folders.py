"""Script folders as the registry's implementations: bundled ones, and those of Lua packs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.api.context import HookContext
from interpreter.api.results import NO_STATUS
from interpreter.catalogue.folders import KindFolder, read_script
from interpreter.catalogue.kind_files import targets_of
from interpreter.engines.lua.asking import script_call
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script
from interpreter.registry.tiers import Arguments, Call, Implementation


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
        call = answering(script_call(engine, spec.operation, [script]))
        for gvk in targets:
            yield Implementation(tier, plugin or tier, name, gvk, spec.operation, call)


def answering(call: Call) -> Call:
    """A script's call as a built-in tier's: it answers a caller directly.

    "Nothing to report" is None there. Nobody behind such a tier is asked.
    """

    def answer(arguments: Arguments, context: HookContext) -> Any:
        result = call(arguments, context)
        return None if result is NO_STATUS else result

    return answer
