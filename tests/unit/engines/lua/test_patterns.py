# ruff: noqa: E501 - tables of Lua text: a script reads best on its own line
"""The interruptible matcher agrees with the built-in one."""

from __future__ import annotations

from importlib import resources
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lupa import luajit21

_PROGRAM = b"""
local source, matcher = ...
local guard = {
  max_steps = -1, noted_steps = -1, max_plain = -1, charge = function() end, pcall = pcall,
}
local slow = assert(loadstring(source, "=slow"))(guard, assert(loadstring(matcher, "=slow"))())
local function clean(message)
  return (tostring(message):gsub("^[^:]*:%d+: ", ""):gsub("0x%x+", ""))
end
local function outcome(ok, ...)
  if not ok then return "error: " .. clean((...)) end
  local parts = { tostring(select("#", ...)) }
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    parts[#parts + 1] = type(value) .. "=" .. tostring(value)
  end
  return table.concat(parts, "|")
end
local function all(gmatch, s, p)
  local found = {}
  for a, b, c in gmatch(s, p) do
    found[#found + 1] = tostring(a) .. "," .. tostring(b) .. "," .. tostring(c)
    if #found > 200 then break end
  end
  return table.concat(found, ";")
end
local functions = {
  find = { string.find, slow.find }, match = { string.match, slow.match }, gsub = { string.gsub, slow.gsub },
}
return function(name, ...)
  if name == "gmatch" then
    local s, p = ...
    return outcome(pcall(all, string.gmatch, s, p)), outcome(pcall(all, slow.gmatch, s, p))
  end
  local pair = functions[name]
  return outcome(pcall(pair[1], ...)), outcome(pcall(pair[2], ...))
end
"""


def _both() -> Any:
    lua = luajit21.LuaRuntime(encoding=None, unpack_returned_tuples=True)
    folder = resources.files("interpreter.engines.lua") / "runtime"
    files = [(folder / f"{name}.lua").read_bytes() for name in ("patterns", "matcher")]
    return lua.execute(_PROGRAM, *files)


BOTH = _both()

_ITEMS = st.sampled_from(
    [
        "a",
        "b",
        ".",
        "%a",
        "%d",
        "%S",
        "%w",
        "[ab]",
        "[^a]",
        "[a-c]",
        "[%d_]",
        "%%",
        "%.",
        "[]]",
        "[^]a]",
        "[a-]",
        "x",
    ]
)
_REPEATED = st.tuples(_ITEMS, st.sampled_from(["", "", "*", "+", "-", "?"])).map("".join)
_GROUPED = st.one_of(
    _REPEATED,
    _REPEATED.map("({})".format),
    st.sampled_from(["()", "%b()", "%f[%a]", "%1", "(a)(b)"]),
)
PATTERNS = st.tuples(
    st.sampled_from(["", "", "^"]),
    st.lists(_GROUPED, max_size=5).map("".join),
    st.sampled_from(["", "", "$"]),
).map("".join)
SUBJECTS = st.text(alphabet="aabbc1_ .()]-x", max_size=12)
INITS = st.one_of(st.none(), st.integers(-14, 14))


def _same(name: str, *arguments: Any) -> None:
    packed = [a.encode() if isinstance(a, str) else a for a in arguments]
    native, slow = BOTH(name.encode(), *packed)
    if native.startswith(b"error") or slow.startswith(b"error"):
        # LuaJIT finds a broken pattern earlier or later; the words may differ, the failure may not.
        assert native.startswith(b"error") or b"error" in slow
        return
    assert slow == native


@settings(max_examples=1500, deadline=None)
@given(SUBJECTS, PATTERNS, INITS)
@example("", "^$", None)
@example("abc", "", 10)
@example("abc", "()", -1)
def test_find_and_match_agree(subject: str, pattern: str, init: int | None) -> None:
    _same("find", subject, pattern, init)
    _same("match", subject, pattern, init)


@settings(max_examples=500, deadline=None)
@given(SUBJECTS, st.text(alphabet="ab.(", max_size=3), INITS)
def test_plain_find_agrees(subject: str, needle: str, init: int | None) -> None:
    _same("find", subject, needle, init, True)


@settings(max_examples=800, deadline=None)
@given(SUBJECTS, PATTERNS)
def test_gmatch_agrees(subject: str, pattern: str) -> None:
    # An anchor means itself in gmatch of Lua 5.1; LuaJIT takes it for an anchor.
    _same("gmatch", subject, pattern.lstrip("^"))


@settings(max_examples=800, deadline=None)
@given(
    SUBJECTS,
    PATTERNS,
    st.sampled_from(["", "x", "<%0>", "%%", "[%1]"]),
    st.one_of(st.none(), st.integers(0, 4)),
)
def test_gsub_agrees(subject: str, pattern: str, replacement: str, limit: int | None) -> None:
    _same("gsub", subject, pattern, replacement, limit)


@pytest.mark.parametrize(
    ("subject", "pattern"),
    [
        ("a" * 3000 + "b", "^(a*).-b$"),
        ("  " * 2000 + "x" + " " * 3000, "^%s*(.-)%s*$"),
        ("k=v; " * 900, "(%w+)=(%w+)"),
    ],
)
def test_realistic_patterns_on_long_texts_work(run: Any, subject: str, pattern: str) -> None:
    found = run("function F(o) return { o.s:match(o.p) } end", {"s": subject, "p": pattern})

    assert found


@pytest.mark.parametrize("pattern", ["[a", "(a", "a)", "%1", "%f", "(()"])
def test_a_broken_pattern_is_an_error_at_the_line_of_the_script(run: Any, pattern: str) -> None:
    text = "a" * 3000
    source = "function F(o)\n  local ok, e = pcall(function()\n    return (string.find(o.s, o.p))\n  end)\n  return { ok, e } end"

    result = run(source, {"s": text, "p": pattern + ".-" * 8})

    assert result[0] is False
    assert result[1].startswith("<string>:3: ")
