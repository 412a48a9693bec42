"""Limits of a script's run, as the engine and its worker processes use them."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.settings import DEEPEST, DEFAULTS, Settings

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class LuaLimits:
    """What one call of a script may use; units and reasons stand with the settings.

    ``depth`` is no setting: what is nested deeper could not be written as JSON.
    """

    deadline_ms: int = DEFAULTS.lua_deadline_ms
    heap_bytes: int = DEFAULTS.lua_heap_bytes
    source_bytes: int = DEFAULTS.lua_source_bytes
    depth: int = DEEPEST
    result_nodes: int = DEFAULTS.lua_result_nodes
    compiled_scripts: int = DEFAULTS.lua_compiled_scripts
    worker_grace_ms: int = DEFAULTS.lua_worker_grace_ms


def limits_of(settings: Settings) -> LuaLimits:
    """The limits that settings state."""
    return LuaLimits(
        deadline_ms=settings.lua_deadline_ms,
        heap_bytes=settings.lua_heap_bytes,
        source_bytes=settings.lua_source_bytes,
        result_nodes=settings.lua_result_nodes,
        compiled_scripts=settings.lua_compiled_scripts,
        worker_grace_ms=settings.lua_worker_grace_ms,
    )
