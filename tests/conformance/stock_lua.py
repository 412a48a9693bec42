"""What plain Lua makes of a recorded script: the yardstick for "as a Lua author expects"."""

from __future__ import annotations

import functools
import json
from typing import Any

from lupa import lua51, luajit21

#: A script that plain Lua refuses, or a result that is no JSON.
FAILED = object()
_OPENED = b"""
local globals = ...
for name, library in pairs({ string = string, table = table, math = math, os = os }) do
  package.loaded[name] = library
end
io, debug, coroutine, jit, ffi, bit, python, package.loaded.io, package.loaded.debug = nil
package.loaded.bit, package.loaded.jit, package.loaded.ffi, package.loaded.coroutine = nil
"""
_RUN = b"""
local source, object = ...
local chunk, problem = loadstring(source, "=<string>")
if not chunk then return false, problem end
local ok, message = pcall(chunk)
if not ok then return false, message end
return pcall(ReflectStatus, object)
"""


def outcomes(source: str, obj: dict[str, Any]) -> list[Any]:
    """The results of ``ReflectStatus`` in plain LuaJIT 2.1 and plain Lua 5.1, or ``FAILED``."""
    text = json.dumps(obj)
    return [_outcome(source, text, name) for name in ("luajit21", "lua51")]


@functools.cache
def _outcome(source: str, text: str, name: str) -> Any:
    module = {"luajit21": luajit21, "lua51": lua51}[name]
    runtime = module.LuaRuntime(
        encoding=None,
        unpack_returned_tuples=True,
        register_eval=False,
        register_builtins=False,
        max_memory=256 * 1024 * 1024,
    )
    runtime.execute(_OPENED)
    given = _encode(json.loads(text))
    try:
        answer = runtime.execute(_RUN, source.encode(), runtime.table_from(given, recursive=True))
        if not isinstance(answer, tuple) or not answer[0]:
            return FAILED
        result = _decode(answer[1], module, 0)
    except (module.LuaError, ValueError):
        return FAILED
    return {} if result is None and not isinstance(answer[1], (int, float)) else result


def _encode(value: Any) -> Any:
    if isinstance(value, dict):
        return {key.encode(): _encode(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_encode(item) for item in value if item is not None]
    if isinstance(value, str):
        return value.encode()
    return value


def _decode(value: Any, module: Any, depth: int) -> Any:
    """A Lua value as JSON; None for an empty table, which the caller drops.

    Raises:
        ValueError: It is no JSON.
    """
    if depth > 200:
        raise ValueError("too deep")
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError(value)
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if value is None or isinstance(value, (bool, int)):
        return value
    if module.lua_type(value) != "table":
        raise ValueError(value)
    items = {key: _decode(item, module, depth + 1) for key, item in value.items()}
    if not items:
        return None
    if all(isinstance(key, bytes) for key in items):
        return {key.decode(): item for key, item in items.items() if item is not None}
    if all(isinstance(key, int) for key in items) and sorted(items) == list(
        range(1, len(items) + 1)
    ):
        return [items[index] for index in sorted(items) if items[index] is not None]
    raise ValueError(items)
