"""LuaJIT through lupa: runtimes, their limits, and the discipline that keeps the process alive.

Facts this module is built on (lupa 2.8, LuaJIT 2.1):

* with the JIT compiler on, count hooks never fire: it is off;
* a memory limit that is reached outside a protected call aborts the process: the limit is armed
  only around the one call that runs protected, and only when the heap has room for its arguments;
  never while collecting;
* a Python exception or callable that a script holds is a way into Python: scripts get Lua values
  only.
"""

from __future__ import annotations

import enum
import functools
import os
import time
from collections import OrderedDict
from collections.abc import Callable
from importlib import resources
from typing import Any, NamedTuple

from interpreter.engines.lua.limits import LuaLimits
from interpreter.engines.lua.scripts import source_bytes
from interpreter.errors import ConfigurationError

#: A host function of the runtime: name, msgpack list of arguments, bytes of room; returns a status
#: byte and a payload.
HostCall = Callable[[bytes, bytes, float], bytes]

_FILES = (
    "guard",
    "decoder",
    "encoder",
    "problems",
    "matcher",
    "patterns",
    "libraries",
    "kube",
    "sandbox",
)


class Code(enum.IntEnum):
    """First element of a reply; ``runtime/sandbox.lua`` holds the same table."""

    OK = 0
    SCRIPT = 1
    TIMEOUT = 2
    MEMORY = 3
    MISSING = 4
    RESULT = 5
    PAYLOAD = 6
    HOST = 7


class Reply(NamedTuple):
    """What a run gave.

    Attributes:
        data: msgpack: ``[0, new empty tables, results…]`` or ``[code, message, line, path]``; empty
            when the runtime had no room for the call and did not run it.
        trace: msgpack list of the last line and all lines that ran; None when not asked for.
    """

    data: bytes
    trace: bytes | None = None


#: ``[MEMORY, "", null, null]``
_EXHAUSTED = b"\x94\x03\xc4\x00\xc0\xc0"


class SyntaxProblem(NamedTuple):
    """A syntax error as LuaJIT tells it."""

    line: int
    message: str


class NoRoom(Exception):
    """The heap of a runtime has no room for its next call; a new runtime has."""


_CLOCK = b"""
local clock_id = ...
local ok, ffi = pcall(require, "ffi")
if not ok or ffi.abi("be") or not ffi.abi("64bit") then return nil end
ffi.cdef("typedef struct { int32_t s, s_high, ns, ns_high; } interpreter_time;"
  .. "int clock_gettime(int, interpreter_time *);")
local at, C = ffi.new("interpreter_time[1]"), ffi.C
return function()
  C.clock_gettime(clock_id, at)
  local t = at[0]
  return t.s + t.ns * 1e-9
end
"""


@functools.cache
def _sources() -> dict[str, bytes]:
    folder = resources.files("interpreter.engines.lua") / "runtime"
    return {name: (folder / f"{name}.lua").read_bytes() for name in _FILES}


@functools.cache
def load_luajit() -> Any:
    """The lupa module for LuaJIT 2.1; another Lua would change the language and lose the limits.

    Raises:
        ConfigurationError: lupa was built without it.
    """
    try:
        from lupa import luajit21
    except ImportError as error:
        raise ConfigurationError(
            f"lupa has no LuaJIT 2.1 here ({error})",
            hint="install a lupa wheel of version 2.4 or later for this platform",
        ) from None
    return luajit21


def _no_attributes(_object: object, _name: object, _setting: bool) -> object:
    raise AttributeError("not available to scripts")


class Runtime:
    """One Lua state. Not to be used by two threads at once."""

    def __init__(self, limits: LuaLimits, host: HostCall) -> None:
        """Starts LuaJIT and loads the files that surround a script."""
        self._limits = limits
        self._host = host
        self._ids: OrderedDict[tuple[str, str], int | SyntaxProblem] = OrderedDict()
        self._next_id = 1
        #: An exception of the host that must leave once Lua has unwound (such as
        #: KeyboardInterrupt).
        self._pending: BaseException | None = None
        #: Whether the runtime can run another script.
        self.usable = True
        luajit = load_luajit()
        self._error: type[Exception] = luajit.LuaError
        lua = luajit.LuaRuntime(
            encoding=None,
            unpack_returned_tuples=True,
            register_eval=False,
            register_builtins=False,
            attribute_filter=_no_attributes,
            max_memory=0,
        )
        self._lua = lua
        lua.execute(b"jit.off() jit.flush()")
        guard = self._load("guard", float(limits.heap_bytes), self._clock())
        bounds = lua.table_from({b"depth": limits.depth, b"nodes": limits.result_nodes})
        decoder = self._load("decoder", bounds)
        encoder = self._load("encoder", bounds, decoder)
        find_problem = self._load("problems", bounds, decoder)
        matcher = self._load("matcher")
        patterns = self._load("patterns", guard, matcher)
        libraries = self._load("libraries", guard, matcher, patterns, self._entropy)
        kube = self._load("kube", guard, decoder, encoder, self._call_host)
        self._run, self._compile, self._forget, self._traced = self._load(
            "sandbox", guard, decoder, encoder, find_problem, libraries, kube
        )
        # Nothing reaches these names: scripts have an environment of their own. Gone is gone.
        lua.execute(b"local globals = _G for name in next, globals do globals[name] = nil end")
        lua.gccollect()

    def compile(self, source: str) -> SyntaxProblem | None:
        """Checks a script's syntax without keeping it.

        Raises:
            NoRoom: The heap is full; another runtime can tell.
        """
        return self._compiled(None, source, "")

    def run(
        self,
        source: str,
        function: str,
        payload: bytes,
        budget: float,
        *,
        trace: bool = False,
    ) -> Reply | SyntaxProblem:
        """Runs a script and then its function on arguments.

        Args:
            source: The script; it is compiled once and found by content after that.
            function: Global function to call.
            payload: msgpack list of the arguments.
            budget: Seconds.
            trace: Whether to note the lines that run; several times slower.
        """
        try:
            entry = self._ids.get((source, function))
            if entry is None:
                entry = self._remember(source, function)
            if isinstance(entry, SyntaxProblem):
                return entry
            if not self._make_room(len(payload)):
                return Reply(b"")
        except NoRoom:
            return Reply(b"")
        lua = self._lua
        lua.set_max_memory(self._limits.heap_bytes)
        try:
            data = self._run(entry, payload, time.monotonic() + budget, trace)
        except self._error:
            # Out of memory where nothing protects but lupa itself.
            self.usable = False
            data = _EXHAUSTED
        finally:
            lua.set_max_memory(0)
        if self._pending is not None:
            pending, self._pending = self._pending, None
            self.usable = False
            raise pending
        return Reply(data, self._traced() if trace and self.usable else None)

    @property
    def owned(self) -> bool:
        """Whether this process may use the runtime: memory is copied by a fork, so always."""
        return True

    def close(self) -> None:
        """Lets LuaJIT go."""
        self.usable = False

    def _load(self, name: str, *arguments: Any) -> Any:
        return self._lua.compile(_sources()[name], name=b"=interpreter")(*arguments)

    def _clock(self) -> Any:
        """A monotonic clock for Lua.

        The system call by FFI where that is Python's clock, else a host function.
        """
        clock_id = getattr(time, "CLOCK_MONOTONIC", None)
        if clock_id is not None and os.name == "posix":
            clock = self._lua.execute(_CLOCK, clock_id)
            if clock is not None and abs(clock() - time.monotonic()) < 0.1:
                return clock
        return self._lua.execute(b"local f = ... return function() return f() end", time.monotonic)

    def _entropy(self) -> float:
        return float(int.from_bytes(os.urandom(6), "big"))

    def _call_host(self, name: bytes, packed: bytes, room: float) -> bytes:
        try:
            return self._host(name, packed, room)
        except BaseException as error:
            self._pending = error
            return b"\x03"

    def _remember(self, source: str, function: str) -> int | SyntaxProblem:
        if len(self._ids) >= self._limits.compiled_scripts:
            _, old = self._ids.popitem(last=False)
            if isinstance(old, int):
                self._forget(old)
        identity = self._next_id
        self._next_id += 1
        problem = self._compiled(identity, source, function)
        entry = identity if problem is None else problem
        self._ids[source, function] = entry
        return entry

    def _compiled(self, identity: int | None, source: str, function: str) -> SyntaxProblem | None:
        try:
            encoded = source_bytes(source, self._limits.source_bytes)
        except ValueError as problem:
            return SyntaxProblem(1, str(problem))
        if not self._make_room(len(encoded)):
            raise NoRoom
        lua = self._lua
        lua.set_max_memory(self._limits.heap_bytes)
        try:
            text = self._compile(identity, encoded, function.encode())
        except self._error:
            self.usable = False
            return SyntaxProblem(1, "there is not enough memory to compile the script")
        finally:
            lua.set_max_memory(0)
        return None if text is None else _syntax_problem(text.decode(errors="replace"))

    def _make_room(self, size: int) -> bool:
        """Makes sure that pushing ``size`` unprotected bytes cannot reach the limit."""
        quarter = self._limits.heap_bytes // 4
        lua = self._lua
        if lua.get_memory_used(total=True) + size <= quarter:
            return True
        lua.gccollect()
        if lua.get_memory_used(total=True) + size <= quarter:
            return True
        # A heap that stays full belongs to compiled scripts, or the arguments are too large by
        # themselves.
        self.usable = False
        return False


def _syntax_problem(text: str) -> SyntaxProblem:
    head, _, rest = text.removeprefix("<string>:").partition(":")
    return SyntaxProblem(int(head), rest.strip()) if head.isdigit() else SyntaxProblem(1, text)
