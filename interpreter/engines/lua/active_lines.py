"""Which lines of a Lua source can be executed: the lines of its compiled instructions.

The runtime here belongs to the host and compiles only: no line of the source ever runs, so the
sandbox of scripts has no part in it. LuaJIT's ``jit.util`` walks the prototypes inside a chunk,
which ``debug.getinfo`` cannot do without running it.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from interpreter.engines.lua.scripts import source_bytes
from interpreter.engines.lua.vm import load_luajit
from interpreter.settings import DEFAULTS

#: Lines of these alone hold instructions (jumps, the last return) that no author takes for code.
_NO_CODE = re.compile(r"(?:\b(?:end|else|do|then|repeat)\b|[(){}\[\],;\s])*(?:--.*)?")

#: What compiled chunks start with; they are not even looked at.
_BYTECODE = b"\x1b"

_COLLECTOR = """
local util = require("jit.util")
return function(source)
  local chunk, problem = loadstring(source, "@script")
  if not chunk then return nil end
  local lines, waiting = {}, {chunk}
  while #waiting > 0 do
    local prototype = table.remove(waiting)
    local info = util.funcinfo(prototype)
    for pc = 1, info.bytecodes - 1 do
      local line = util.funcinfo(prototype, pc).currentline
      if line then lines[line] = true end
    end
    if info.children then
      for index = -1, -info.gcconsts, -1 do
        local constant = util.funck(prototype, index)
        if type(constant) == "proto" then waiting[#waiting + 1] = constant end
      end
    end
  end
  local sorted = {}
  for line in pairs(lines) do sorted[#sorted + 1] = line end
  table.sort(sorted)
  return table.concat(sorted, " ")
end
"""


@functools.cache
def _collector() -> Any:
    # The runtime is kept alive by the function; text comes back, so no table has to be converted.
    runtime = load_luajit().LuaRuntime(encoding=None, register_eval=False, register_builtins=False)
    return runtime.execute(_COLLECTOR.encode())


def active_lines(source: str) -> frozenset[int]:
    """Lines, counted from 1, that can be executed; none for a source that does not compile.

    Lines that hold only ``end``, ``else`` and punctuation are left out, although an instruction
    may stand there.
    """
    try:
        encoded = source_bytes(source, DEFAULTS.lua_source_bytes)
    except ValueError:  # the engine refuses it as well
        return frozenset()
    if encoded.startswith(_BYTECODE):
        return frozenset()
    text = _collector()(encoded)
    if text is None:
        return frozenset()
    rows = source.split("\n")
    return frozenset(
        line
        for line in map(int, text.split())
        if line <= len(rows) and not _NO_CODE.fullmatch(rows[line - 1])
    )
