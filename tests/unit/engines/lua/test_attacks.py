# ruff: noqa: E501 - tables of Lua text: a script reads best on its own line
"""Attacks on the sandbox, in the calling thread and in a worker process.

Each ends within 1.5 s and 64 MiB of Lua heap, the process neither aborts nor hangs, and the next
call is right.
"""

from __future__ import annotations

import time
from typing import Any

import pytest

from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.limits import LuaLimits
from interpreter.engines.lua.scripts import Script
from interpreter.errors import (
    EngineError,
    InterpreterError,
    InvalidObject,
    LuaMemoryExceeded,
    LuaScriptError,
    LuaTimeout,
)

#: Seconds: the limit of the issue, and room for a busy machine that runs the tests.
WITHIN = 1.5


def attack(engine: LuaEngine, source: str, *arguments: Any) -> Any:
    """Runs a script; gives its result or its error, after checking time and the next call."""
    started = time.monotonic()
    outcome: Any
    try:
        results = engine.call(Script("evil/rule", source, "F"), arguments)
        outcome = results[0] if results else None
    except InterpreterError as error:
        outcome = error
    seconds = time.monotonic() - started
    after = engine.call(
        Script("good/rule", "function F(o) return { n = #o.l, s = ('x'):rep(3) } end", "F"),
        [{"l": [1]}],
    )
    assert after == [{"n": 1, "s": "xxx"}]
    assert seconds < WITHIN, f"took {seconds:.2f} s"
    return outcome


ENDLESS = {
    "while": "while true do end",
    "repeat with work": "local i = 0 repeat i = i + 1 until false",
    "goto": "::a:: goto a",
    "tail call": "local function f() return f() end return f()",
    "numeric for": "for i = 1, math.huge do end",
    "inside pcall": "while true do pcall(function() while true do end end) end",
    "pcall in a loop": "while true do pcall(error, 'x') end",
    "pcall of pcall": "local function f() return pcall(f) end while true do f() end",
    "inside xpcall": "xpcall(function() while true do end end, function() while true do end end)",
    "xpcall in a loop": "while true do xpcall(error, function() return 1 end, 'x') end",
    "error handler": "xpcall(function() error('x') end, function() while true do end end)",
    "recursive handler": "local function h(e) return xpcall(error, h, e) end while true do h(1) end",
    "comparator": "table.sort({ 3, 2, 1 }, function() while true do end end)",
    "gsub callback": "string.gsub(('a'):rep(10), 'a', function() while true do end end)",
    "gmatch": "for _ in string.gmatch(('a'):rep(1000), '') do while true do end end",
    "pairs": "for _ in pairs({ 1, 2 }) do while true do end end",
    "next without progress": "while true do next({ 1, 2, 3 }) end",
    "top of the chunk": "end while true do end do",
    "clock of its own": "local t = os.time() while os.time() < t + 60 do end",
    "print": "while true do print('x') end",
    "kube": "local k = require('kube') while true do k.resourceAdd('1', '2') end",
    "failing kube": "local k = require('kube') while true do pcall(k.resourceAdd, 'x') end",
}


@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_loop_is_stopped(any_engine: LuaEngine, body: str) -> None:
    outcome = attack(any_engine, f"function F() {body} end")

    assert isinstance(outcome, LuaTimeout)
    assert "evil/rule:1" in str(outcome)
    assert outcome.line == 1


COSTLY = {
    "lazy repetitions": "string.find(('a'):rep(8192), '.-.-.-.-.-b')",
    "greedy repetitions": "string.find(('a'):rep(30000), '.*.*.*.*b')",
    "many optional items": "string.find(('a'):rep(40), ('a?'):rep(40) .. ('a'):rep(40) .. 'b')",
    "a number as subject": "string.find(12345678901234, ('%d-'):rep(30) .. 'b')",
    "as a method": "(('a'):rep(8192)):match('(.-)(.-)(.-)(.-)b')",
    "gmatch": "for _ in string.gmatch(('a'):rep(8192), '.-.-.-.-b') do end",
    "gsub": "string.gsub(('a'):rep(8192), '.-.-.-.-b', '')",
    "back references": "string.find(('a'):rep(5000), '(.-)(.-)(.-)%1%2%3b')",
    "balanced": "string.find(('('):rep(30000), '%b()%b()')",
    "sets": "string.find(('a'):rep(20000), '[^b]-[^b]-[^b]-b')",
    "plain search": "string.find(('a'):rep(2^22), ('a'):rep(2^21) .. 'b', 1, true)",
    "text that is a plain search": "string.find(('a'):rep(2^22), ('a'):rep(2^21) .. 'b')",
    "a broken pattern": "string.find(('a'):rep(30000), '.-.-.-.-.-[a')",
    "arithmetic on a long text": "local s = ('0'):rep(2^24) while true do local x = s + 0 end",
    "comparison of long texts": "local s = ('a'):rep(2^24) local t = s .. 'b' local u = s .. 'c' "
    "while true do local x = t < u end",
    "tonumber of a long text": "local s = ('0'):rep(2^24) while true do tonumber(s) end",
    "upper": "local s = ('a'):rep(2^23) while true do s:upper() end",
    "reverse": "local s = ('a'):rep(2^23) while true do s:reverse() end",
    "insert at the front": "local t = {} for i = 1, 1e9 do table.insert(t, 1, i) end",
    "insert far below": "table.insert({ 1 }, -1e15, 2) while true do end",
    "remove far below": "table.remove({ 1 }, -1e15) while true do end",
    "sort": "local t = {} for i = 1, 3e5 do t[i] = i % 7 end table.sort(t) while true do table.sort(t) end",
    "sort of long texts": "local s = ('a'):rep(2^22) local t = {} "
    "for i = 1, 100 do t[i] = i % 2 == 0 and s or s .. 'b' end while true do table.sort(t) end",
    "inconsistent comparator": "local t = {} for i = 1, 1e4 do t[i] = i end "
    "while true do table.sort(t, function() return true end) end",
    "concat": "local t = {} for i = 1, 1e5 do t[i] = 'x' end while true do table.concat(t) end",
    "pairs of a large table": "local t = {} for i = 1, 1e5 do t['k' .. i] = i end "
    "while true do for _ in pairs(t) do break end end",
    "unpack": "local t = {} for i = 1, 7000 do t[i] = i end while true do select('#', unpack(t)) end",
    "string.rep of nothing": "while true do (''):rep(1e15) end",
    "format": "local s = ('a'):rep(2^20) while true do string.format('%s%q', s, s) end",
    "os.date": "while true do os.date(('%c'):rep(400)) end",
}


@pytest.mark.parametrize("body", COSTLY.values(), ids=COSTLY)
def test_costly_library_calls_end_in_time(any_engine: LuaEngine, body: str) -> None:
    outcome = attack(any_engine, f"function F() {body} end")

    assert outcome is None or isinstance(outcome, EngineError)


HUNGRY = {
    "rep": "return ('x'):rep(1e9)",
    "rep of rep": "local s = ('x'):rep(1e7) return s:rep(1e7)",
    "doubling": "local s = 'x' while true do s = s .. s end",
    "concat of a shared text": "local s, t = ('x'):rep(2^20), {} for i = 1, 1000 do t[i] = s end return table.concat(t)",
    "gsub expansion": "local s = ('a'):rep(2^20) return s:gsub('a', ('b'):rep(2^16))",
    "gsub callback": "local s = ('b'):rep(2^20) return (('a'):rep(1000)):gsub('a', function() return s end)",
    "format": "local s = ('x'):rep(2^24) return string.format('%s%s%s%s%s', s, s, s, s, s)",
    "list growth": "local t = {} while true do t[#t + 1] = 1 end",
    "map growth": "local t, i = {}, 0 while true do i = i + 1 t['k' .. i] = {} end",
    "nested tables": "local t = {} while true do t = { t, {} } end",
    "closures": "local t = {} while true do t[#t + 1] = function() return t end end",
    "caught": "while true do pcall(function() local s = 'x' while true do s = s .. s end end) end",
    "caught and handled": "while true do xpcall(function() local s = 'x' while true do s = s .. s end end, print) end",
    "caught list growth": "local t = {} while true do pcall(function() while true do t[#t + 1] = 1 end end) end",
    "in a comparator": "table.sort({ 1, 2, 3 }, function() local s = 'x' while true do s = s .. s end end)",
    "argument of a host function": "local t = {} for i = 1, 6e5 do t[i] = 'some text ' .. i end "
    "return require('kube').getPodDependencies({ spec = { containers = t } }, 'x')",
    "result of a host function": "local s = ('x'):rep(1.2e7) local c = {} "
    "for i = 1, 1 do c[i] = { envFrom = { { configMapRef = { name = s } } } } end "
    "local keep = s .. s "
    "return require('kube').getPodDependencies({ spec = { containers = c } }, 'x'), keep",
    "while the result is converted": "local s = ('x'):rep(2^20) local t = {} for i = 1, 60 do t[i] = s .. i end return t",
    "a shared text in the result": "local s = ('x'):rep(2^20) local t = {} for i = 1, 1000 do t[i] = s end return t",
}


@pytest.mark.parametrize("body", HUNGRY.values(), ids=HUNGRY)
def test_memory_is_limited_on_every_path(any_engine: LuaEngine, body: str) -> None:
    outcome = attack(any_engine, f"function F() {body} end")

    assert isinstance(outcome, (LuaMemoryExceeded, LuaTimeout)), outcome


def test_most_memory_attacks_are_told_as_such(engine: LuaEngine) -> None:
    for name in ("rep", "doubling", "caught", "concat of a shared text"):
        outcome = attack(engine, f"function F() {HUNGRY[name]} end")
        assert isinstance(outcome, LuaMemoryExceeded), name
        assert "64 MiB" in str(outcome)


def test_arguments_too_large_for_the_heap_are_refused(any_engine: LuaEngine) -> None:
    payload = {"l": ["x" * 1000 for _ in range(40_000)]}
    tables = {"l": [{"a": {}} for _ in range(400_000)]}

    for value in (payload, tables):
        assert isinstance(
            attack(any_engine, "function F(o) return 1 end", value), LuaMemoryExceeded
        )


def test_garbage_of_earlier_calls_does_not_count(any_engine: LuaEngine) -> None:
    source = "function F() local t = {} for i = 1, 3e5 do t[i] = { i } end return #t end"

    for _ in range(5):
        assert attack(any_engine, source) == 300_000


@pytest.mark.parametrize(
    "body",
    [
        "local t = {} for i = 1, 1e7 do t[i] = 1 end return t",
        "local t = { 1 } for i = 1, 40 do t = { t, t } end return t",
        "local t = {} for i = 1, 1e5 do t = { t } end return t",
        "local t = {} for i = 1, 2000 do local u = {} for j = 1, 1000 do u[j] = 1 end t[i] = u end return t",
    ],
    ids=["10^7 nodes", "doubled by sharing", "depth 10^5", "two million nodes"],
)
def test_results_are_bounded_in_size_and_depth(any_engine: LuaEngine, body: str) -> None:
    assert isinstance(attack(any_engine, f"function F() {body} end"), EngineError)


def test_a_long_source_is_refused_unread(any_engine: LuaEngine) -> None:
    source = "function F() return 1 end " + " " * 70_000

    outcome = attack(any_engine, source)

    assert isinstance(outcome, LuaScriptError)
    assert "65536 bytes" in str(outcome)
    assert any_engine.check_syntax(source) == (1, "the script has more than 65536 bytes")


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "(" * 200_000 + "1" + ")" * 200_000,
        "x = " + "(" * 30_000 + "1" + ")" * 30_000,
        "x = " + "{" * 30_000 + "}" * 30_000,
        "x = " + "-" * 1 + "- -" * 20_000 + "1",
        "if x then " * 6_000 + "end " * 6_000,
        "x = " + "a.." * 20_000 + "a",
        "local a = 1 " * 5_000,
        "if a then " + "elseif a then " * 4_500 + "end",
        "\x1bLJ\x02\x00",
        "return '\ud800'",
    ],
    ids=[
        "outside",
        "parentheses",
        "tables",
        "minus",
        "blocks",
        "concat",
        "locals",
        "elseif",
        "byte code",
        "surrogate",
    ],
)
def test_hostile_sources_end_with_a_syntax_error(any_engine: LuaEngine, source: str) -> None:
    outcome = attack(any_engine, source)

    assert isinstance(outcome, LuaScriptError)
    assert any_engine.check_syntax(source) is not None or "not found function" in str(outcome)


@pytest.mark.parametrize(
    "body",
    [
        "local function f() return 1 + f() end return f()",
        "local function f() return (('a'):gsub('a', f)) end return f()",
        "local function f() table.sort({ 2, 1 }, f) end return f()",
        "local function f() pcall(f) end return f()",
        "local function f() xpcall(f, f) end return f()",
        "local function f(e) error(e) end xpcall(f, f, 1)",
        "local function f() return (string.gsub(('a'):rep(9), '.-.-.-.-a', f)) end return f()",
        "local function f() return tostring(f()) end return f()",
        "return string.find(('('):rep(9000), ('('):rep(9000))",
        "return string.match(('a'):rep(200000), ('(a)'):rep(40))",
        "return string.match(('a'):rep(100000), ('a-'):rep(20000) .. 'b')",
    ],
)
def test_deep_recursion_is_an_ordinary_end(any_engine: LuaEngine, body: str) -> None:
    outcome = attack(any_engine, f"function F() {body} end")

    assert outcome is None or isinstance(outcome, (EngineError, int, bool, str))


ABSENT = [
    "python",
    "io",
    "debug",
    "coroutine",
    "jit",
    "ffi",
    "bit",
    "bit32",
    "utf8",
    "package",
    "lupa",
    "arg",
    "channel",
    "os.execute",
    "os.exit",
    "os.getenv",
    "os.remove",
    "os.rename",
    "os.tmpname",
    "os.setlocale",
    "os.clock",
    "string.pack",
    "string.buffer",
    "table.new",
    "table.clear",
    "gcinfo",
]
REFUSED = [
    "collectgarbage",
    "dofile",
    "getfenv",
    "getmetatable",
    "load",
    "loadfile",
    "loadstring",
    "module",
    "newproxy",
    "rawequal",
    "rawget",
    "rawset",
    "setfenv",
    "setmetatable",
    "string.dump",
]


@pytest.mark.parametrize("name", ABSENT)
def test_a_dangerous_name_is_not_there(any_engine: LuaEngine, name: str) -> None:
    assert attack(any_engine, f"function F() return type({name}) end") == "nil"


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_function_raises_an_error_that_can_be_caught(
    any_engine: LuaEngine, name: str
) -> None:
    source = (
        f"function F() local ok, e = pcall({name}, ('x'), {{}}) return {{ ok = ok, e = e }} end"
    )

    outcome = attack(any_engine, source)

    assert outcome == {"ok": False, "e": f"function {name} is not available to scripts"}


@pytest.mark.parametrize(
    "name", ["io", "debug", "ffi", "jit", "package", "python", "bit", "table.new", "string.buffer"]
)
def test_require_reaches_the_documented_modules_only(any_engine: LuaEngine, name: str) -> None:
    outcome = attack(any_engine, f"function F() return require('{name}') end")

    assert isinstance(outcome, LuaScriptError)
    assert "not found" in str(outcome)


REACHABLE = """
local seen, kinds, count = {}, {}, 0
local function visit(value)
  kinds[type(value)] = true
  if type(value) ~= 'table' or seen[value] then return end
  seen[value] = true
  for k, v in pairs(value) do count = count + 1 visit(k) visit(v) end
end
function F(...)
  visit(_G)
  visit({ ... })
  visit(require('kube'))
  visit({ pcall(require('kube').resourceAdd, {}) })
  visit({ pcall(require('kube').accuratePodRequirements, { spec = 5 }) })
  visit({ pcall(error) })
  visit({ pcall(string.rep) })
  visit({ pairs({}) })
  visit({ ipairs({}) })
  visit({ ('x'):gmatch('x') })
  visit({ select(2, xpcall(error, function(e) visit(e) return e end, {})) })
  return { kinds = kinds, many = count > 60 }
end
"""


def test_everything_a_script_can_reach_is_a_lua_value(any_engine: LuaEngine) -> None:
    outcome = attack(any_engine, REACHABLE, {"a": [1]}, "x", 5)

    assert outcome["many"]
    assert set(outcome["kinds"]) == {"table", "function", "string", "number", "boolean"}


@pytest.mark.parametrize(
    "expression",
    [
        "require('kube').resourceAdd.__globals__",
        "require('kube').resourceAdd['__class__']",
        "print.__self__",
        "pairs.__call__",
        "('x').__class__",
        "(5).__class__",
        "o.__class__",
        "o.spec['__init__']",
        "(select(2, pcall(require('kube').accuratePodRequirements, { spec = 5 }))).__traceback__",
        "(select(2, pcall(require('kube').resourceAdd, 'x'))).__cause__",
    ],
)
def test_no_attribute_leads_to_python(any_engine: LuaEngine, expression: str) -> None:
    outcome = attack(
        any_engine, f"function F(o) return {{ v = type({expression}) }} end", {"spec": {}}
    )

    assert outcome == {"v": "nil"} or (
        isinstance(outcome, LuaScriptError) and "attempt to index" in str(outcome)
    )


def test_an_error_of_the_host_reaches_a_script_as_a_string(any_engine: LuaEngine) -> None:
    source = """
    function F()
      local k = require('kube')
      local _, a = pcall(k.resourceAdd, 'x')
      local _, b = pcall(k.accuratePodRequirements, { spec = { containers = 5 } })
      local _, c = pcall(k.getPodDependencies, { spec = { containers = { '\\255' } } }, 'x')
      local t = {} t.t = t
      local _, d = pcall(k.accuratePodRequirements, t)
      return { type(a), type(b), type(c), type(d) }
    end
    """

    assert attack(any_engine, source) == ["string"] * 4


POISON = """
string.find = nil
string.upper = function() return 'poisoned' end
table.insert = function() error('poisoned') end
math.floor = nil
math.huge = 5
os.time = function() return 0 end
require('kube').resourceAdd = function() return 'poisoned' end
type = function() return 'poisoned' end
error = 'poisoned'
pairs = nil
_G.tostring = nil
_G._G = nil
leaked = 'poisoned'
setmetatable = print
math.randomseed(42)
function GetReplicas() return 666 end
function F() return 1 end
"""

CLEAN = """
function F()
  local t = {}
  table.insert(t, 'x')
  return {
    find = string.find('abc', 'b'), upper = ('x'):upper(), insert = t[1], floor = math.floor(1.5),
    huge = math.huge > 1e300, time = os.time() > 1e9, kube = require('kube').resourceAdd('1', '2'),
    type = type(t), error = type(error), pairs = type(pairs), tostring = tostring(1), g = type(_G),
    leaked = tostring(leaked), set = pcall(setmetatable, {}, {}), other = tostring(GetReplicas),
  }
end
"""


def test_nothing_that_a_script_poisons_is_seen_by_the_next(any_engine: LuaEngine) -> None:
    assert attack(any_engine, POISON) == 1

    assert attack(any_engine, CLEAN) == {
        "find": 2, "upper": "X", "insert": "x", "floor": 1, "huge": True, "time": True, "kube": "3",
        "type": "table", "error": "function", "pairs": "function", "tostring": "1", "g": "table",
        "leaked": "nil", "set": False, "other": "nil",
    }  # fmt: skip


def test_a_seed_of_one_script_does_not_steer_the_numbers_of_another(engine: LuaEngine) -> None:
    seed = "function F() math.randomseed(42) return 1 end"
    draw = "function F() return math.random(2^30) end"
    drawn = set()
    for _ in range(5):
        attack(engine, seed)
        drawn.add(attack(engine, draw))

    assert len(drawn) > 1


def test_the_fatal_errors_cannot_be_faked_into_something_else(any_engine: LuaEngine) -> None:
    outcome = attack(any_engine, "function F() pcall(error, 'not enough memory', 0) return 1 end")

    assert isinstance(outcome, LuaMemoryExceeded)


def test_a_deadline_of_the_call_shortens_the_limit(any_engine: LuaEngine) -> None:
    started = time.monotonic()
    with pytest.raises(LuaTimeout, match=r"0\.1 s"):
        any_engine.call(
            Script("a/b", "function F() while true do end end", "F"), [], deadline_seconds=0.1
        )

    assert time.monotonic() - started < 0.6
    with pytest.raises(LuaTimeout, match="deadline has passed"):
        any_engine.call(Script("a/b", "function F() end", "F"), [], deadline_seconds=-1)


def test_small_limits_hold_too() -> None:
    engine = LuaEngine(
        limits=LuaLimits(deadline_ms=50, heap_bytes=8 * 1024 * 1024, depth=5, result_nodes=10)
    )
    try:
        assert isinstance(
            attack(engine, f"function F() {HUNGRY['doubling']} end"), LuaMemoryExceeded
        )
        assert isinstance(attack(engine, "function F() while true do end end"), LuaTimeout)
        assert isinstance(attack(engine, "function F() return {{{{{{1}}}}}} end"), LuaScriptError)
        assert isinstance(
            attack(engine, "function F() local t = {} for i = 1, 30 do t[i] = i end return t end"),
            LuaScriptError,
        )
        with pytest.raises(InvalidObject):
            engine.call(Script("a/b", "function F() end", "F"), [[[[[[[1]]]]]]])
    finally:
        engine.close()


def test_thousands_of_errors_leave_a_usable_runtime(engine: LuaEngine) -> None:
    short = LuaEngine(limits=LuaLimits(deadline_ms=1))
    try:
        for _ in range(1000):
            with pytest.raises(LuaTimeout):
                short.call(Script("a/b", "function F() while true do end end", "F"), [])
        assert attack(short, "function F() return 1 end") == 1
    finally:
        short.close()
    for _ in range(50):
        with pytest.raises(LuaMemoryExceeded):
            engine.call(Script("a/b", f"function F() {HUNGRY['doubling']} end", "F"), [])
    assert attack(engine, "function F() return 1 end") == 1
