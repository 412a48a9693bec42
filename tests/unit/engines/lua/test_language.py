# ruff: noqa: E501 - tables of Lua text: a script reads best on its own line
"""The language and libraries that a script author has."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from interpreter.engines.lua import kube
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.limits import LuaLimits
from interpreter.engines.lua.scripts import Script
from interpreter.engines.lua.vm import Runtime

PAGE = Path(__file__).parents[4] / "docs" / "lua-engine.md"

ORDER = """
function F(o)
  local seen = {}
  for k in pairs(o) do seen[#seen + 1] = k end
  local again = {}
  for k in next, o do again[#again + 1] = k end
  local own = {}
  for k in pairs({ z = 1, a = 2, [10] = 3, [2] = 4, [1] = 5, [true] = 6, [1.5] = 7 }) do own[#own + 1] = tostring(k) end
  return { seen = seen, again = again, own = own }
end
"""
KEYS = dict.fromkeys(("zeta", "alpha", "Beta", "10", "9", "é", "a.b", ""), 1)
WANT = {
    "seen": sorted(KEYS, key=lambda key: key.encode()),
    "again": sorted(KEYS, key=lambda key: key.encode()),
    "own": ["1", "1.5", "2", "10", "a", "z", "true"],
}


def test_pairs_and_next_have_one_order_in_every_runtime_and_thread() -> None:
    engine = LuaEngine()
    answers: list[Any] = []

    def ask() -> None:
        answers.append(engine.call(Script("a/b", ORDER, "F"), [KEYS])[0])

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers.extend(LuaEngine().call(Script("a/b", ORDER, "F"), [KEYS])[0] for _ in range(4))

    assert answers == [WANT] * 12


def test_pairs_has_the_same_order_in_other_processes() -> None:
    program = (
        "import json; from interpreter.engines.lua.engine import LuaEngine\n"
        "from interpreter.engines.lua.scripts import Script\n"
        f"print(json.dumps(LuaEngine().call(Script('a/b', {ORDER!r}, 'F'), [{KEYS!r}])[0]))"
    )

    for _ in range(2):
        output = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            text=True,
            encoding="utf-8",
        ).stdout
        assert json.loads(output) == WANT


def test_a_table_may_be_changed_while_it_is_walked(run: Any) -> None:
    source = """
    function F(o)
      local seen = 0
      for k, v in pairs(o) do
        seen = seen + 1
        o[k] = nil
        o.c = nil
      end
      return seen
    end
    """
    assert run(source, {"a": 1, "b": 2, "c": 3}) == 2


def test_an_invalid_key_of_next_is_an_error(run: Any) -> None:
    assert run("function F() return { pcall(next, { a = 1 }, 'b') } end") == [
        False,
        "invalid key to 'next'",
    ]


@pytest.mark.parametrize(
    ("body", "want"),
    [
        ("for i = 1, 3 do if i == 2 then goto continue end t[#t + 1] = i ::continue:: end return t", [1, 3]),
        ("return { ('x'):rep(3), ('abc'):gsub('b', 'x') }", ["xxx", "axc", 1]),
        ("for w in ('a b'):gmatch('%a') do t[#t + 1] = w end return t", ["a", "b"]),
        ("return { tostring(1), tostring(1.5), 1 .. '', tostring(10 / 2) }", ["1", "1.5", "1", "5"]),
        ("return { tonumber('0x10'), tonumber(' 5 '), tonumber('1e3'), tonumber('ff', 16) }", [16, 5, 1000, 255]),
        ("return { string.format('%5.1f|%d|%s|%q', 2.25, 3, 'x', 'y') }", ['  2.2|3|x|"y"']),
        ("t.a = 1 return { #t, (next(t)), type(next({})) }", [0, "a", "nil"]),
        ("return { unpack({ 1, 2, 3 }, 2) }", [2, 3]),
        ("return { select('#', 1, nil, 3), (select(2, 'a', 'b')) }", [3, "b"]),
        ("table.sort(t) return { #t, table.getn({ 1, 2 }), table.maxn({ 1, 2 }) }", [0, 2, 2]),
        ("return { os.date('!%Y-%m-%dT%H:%M:%SZ', 0), os.time() > 1.7e9 }", ["1970-01-01T00:00:00Z", True]),
        ("return { math.floor(1.5), math.max(1, 2), math.mod(5, 3), math.pi > 3 }", [1, 2, 2, True]),
        ("return { pcall(error, { code = 7 }) }", [False, {"code": 7}]),
        ("return { pcall(error, 'x', 0) }", [False, "x"]),
        ("return { xpcall(function() error('x', 0) end, function(m) return 'H:' .. m end) }", [False, "H:x"]),
        ("return { xpcall(function(a) return a end, print, 5) }", [True, 5]),
        ("return { _VERSION, type(_G), _G._G == _G }", ["Lua 5.1", "table", True]),
        ("return { require('string') == string, require('kube') == require('kube') }", [True, True]),
        ("error = t.missing return { type(error) }", ["nil"]),
        ("string.rep = nil return { type(string.rep), type(string.find) }", ["nil", "function"]),
        ("local n = 0 for _ in pairs(require('kube')) do n = n + 1 end return { n }", [4]),
        ("local n = 0 for k in pairs(_G) do n = n + 1 end return { n > 30 }", [True]),
        ("return { table.remove({ 1, 2 }), table.remove({ 1, 2 }, 1), table.remove({}) }", [2, 1]),
        ("t = { 3, 1, 2 } table.sort(t, function(a, b) return a > b end) return t", [3, 2, 1]),
    ],
)  # fmt: skip
def test_scripts_speak_lua_5_1_with_goto(run: Any, body: str, want: list[Any]) -> None:
    assert run(f"function F()\n  local t = {{}}\n  {body}\nend") == want


def test_a_function_put_into_string_is_a_method_of_strings_in_that_call_only(run: Any) -> None:
    extended = """
    function string.trim(s) return (s:match('^%s*(.-)%s*$')) end
    function F(o) return o.name:trim() end
    """

    assert run(extended, {"name": "  x "}) == "x"
    assert run("function F() return type(string.trim) .. type((''):rep(1).trim) end") == "nilnil"


def test_a_sort_with_a_comparator_keeps_the_order_of_equal_items(run: Any) -> None:
    items = [{"k": i % 3, "n": i} for i in range(300)]

    result = run(
        "function F(o) table.sort(o, function(a, b) return a.k < b.k end) return o end", items
    )

    assert result == sorted(items, key=lambda item: item["k"])


def test_a_failing_comparator_leaves_the_list_as_it_was(run: Any) -> None:
    source = "function F(o) pcall(table.sort, o, function(a, b) return a.x < b.x end) return o end"

    assert run(source, [3, 1, 2]) == [3, 1, 2]


@pytest.mark.parametrize(
    "source", ["table.sort({ 3, {}, 1 })", "table.sort(5)", "table.sort({}, 5)"]
)
def test_a_sort_of_what_cannot_be_compared_is_an_error(run: Any, source: str) -> None:
    assert run(f"function F() return (pcall(function() {source} end)) end") is False


# Cut at 4096 bytes, but not within a character; bytes that are no text are shown as such.
PRINTED = {
    "values": ("'a', 1, nil, {} ~= nil", "a\t1\tnil\ttrue"),
    "nothing": ("", ""),
    "two bytes each": ("'x' .. ('é'):rep(3000)", "x" + "é" * 2047),
    "four bytes each": ("'abc' .. ('😀'):rep(3000)", "abc" + "😀" * 1023),
    "a cut between characters": ("('é'):rep(3000)", "é" * 2048),
    "no text": ("'a\\255b'", "a\ufffdb"),
    "nothing but continuations": ("('\\128'):rep(5000)", "\ufffd" * 4093),
}


@pytest.mark.parametrize("case", PRINTED)
def test_print_goes_to_the_log(
    any_engine: LuaEngine, caplog: pytest.LogCaptureFixture, case: str
) -> None:
    arguments, shown = PRINTED[case]
    script = Script("a/b", f"function F() print({arguments}) return 1 end", "F")

    with caplog.at_level("INFO", logger="interpreter.lua"):
        assert any_engine.call(script, []) == [1]

    assert caplog.messages == [f"print: {shown}"]


LISTED = """
function F()
  local names = {}
  local function list(prefix, t)
    for name, value in pairs(t) do
      if name ~= 'F' and type(value) == 'function' then
        local ok, message = pcall(value)
        local refused = not ok and tostring(message):find('not available to scripts', 1, true)
        if not refused then names[#names + 1] = prefix .. name end
      elseif name ~= 'F' and type(value) ~= 'table' then
        names[#names + 1] = prefix .. name
      end
    end
  end
  list('', _G)
  for _, library in ipairs({ 'string', 'table', 'math', 'os' }) do list(library .. '.', _G[library]) end
  list('kube.', require('kube'))
  return names
end
"""


def test_the_page_for_authors_lists_exactly_what_scripts_have() -> None:
    # A function that is called without arguments may print or fail; here only its name counts.
    names = set(LuaEngine().call(Script("a/b", LISTED, "F"), [])[0])
    text = PAGE.read_text(encoding="utf-8")
    table = text.split("## What a script has", 1)[1].split("`kube` functions", 1)[0]
    rows = [line for line in table.splitlines() if line.startswith("| ") and "---" not in line]
    listed: set[str] = set()
    for row in rows[1:]:
        library, functions = (cell.strip() for cell in row.strip("|").split("|")[:2])
        prefix = "" if library == "base" else library.strip("`").split()[-1].strip("`\"'") + "."
        listed.update(prefix + name for name in re.findall(r"`(\w+)`", functions))

    assert listed == names


def test_the_page_for_authors_states_the_limits() -> None:
    text = PAGE.read_text(encoding="utf-8")
    limits = LuaLimits()

    for value in (
        f"{limits.deadline_ms} ms",
        f"{limits.heap_bytes >> 20} MiB",
        f"{limits.source_bytes >> 10} KiB",
    ):
        assert value in text
    assert str(limits.depth) in text
    assert f"{limits.result_nodes:,}".replace(",", " ") in text


def test_compiled_scripts_are_forgotten_when_there_are_too_many() -> None:
    runtime = Runtime(LuaLimits(compiled_scripts=3), kube.call)
    replies = [runtime.run(f"function F() return {i} end", "F", b"\x90", 1.0) for i in range(10)]

    assert [reply[0][-1] for reply in replies] == list(range(10))
    assert len(runtime._ids) == 3
