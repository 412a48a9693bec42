"""What plain Lua makes of a recorded script: the yardstick for "as a Lua author expects"."""

from __future__ import annotations

import functools
import json
import re
from typing import Any

from compare import same
from lua_agreement import lossy
from lupa import lua51, luajit21
from recordings import Answer, Case

from interpreter.errors import LuaScriptError

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


_UNRUNNABLE = frozenset({"slow", "shared_state"})


def is_plain(case: Case, _answer: Answer) -> bool:
    return (
        case.operation == "ReflectStatus" and "script" in case.input and not case.tags & _UNRUNNABLE
    )


def plain_holds(case: Case, answer: Answer) -> bool:
    for outcome in outcomes(case.input["script"], case.input["object"]):
        if outcome is FAILED:
            if isinstance(answer.get("error"), LuaScriptError):
                return True
        elif "error" not in answer and _near(lossy(outcome), lossy(answer["status"])):
            return True
    return False


def _near(wanted: Any, got: Any) -> bool:
    """Equality, but for the current time and addresses in texts."""
    if isinstance(wanted, dict) and isinstance(got, dict) and wanted.keys() == got.keys():
        return all(_near(wanted[key], got[key]) for key in wanted)
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        return all(_near(*pair) for pair in zip(wanted, got, strict=True))
    if isinstance(wanted, int) and isinstance(got, int) and wanted > 1_700_000_000:
        return abs(wanted - got) < 10
    if isinstance(wanted, str) and isinstance(got, str):
        return _plain_text(wanted) == _plain_text(got)
    return same(wanted, got)


def _plain_text(text: str) -> str:
    """A text without what legitimately differs between two runs.

    Addresses, names of local functions.
    """
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    return re.sub(r"to '\?'|to '\w+'|to <[^>]*>", "to '?'", text)
