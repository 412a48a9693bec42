# ruff: noqa: E501 - tables of Lua text: a script reads best on its own line
"""No state survives a call, and calls of several threads do not meet."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script
from interpreter.errors import LuaMemoryExceeded, LuaScriptError, LuaTimeout


def test_globals_of_a_script_are_gone_in_the_next_call(run: Any) -> None:
    counter = (
        "seen = (seen or 0) + 1 function F() count = (count or 0) + 1 return { seen, count } end"
    )

    assert run(counter) == [1, 1]
    assert run(counter) == [1, 1]
    assert (
        run("function F() return { tostring(seen), tostring(count), tostring(G) } end")
        == ["nil"] * 3
    )


def test_locals_of_a_file_start_anew(run: Any) -> None:
    source = "local n = 0 function F() n = n + 1 return n end"

    assert [run(source), run(source)] == [1, 1]


def test_the_function_of_an_earlier_script_is_never_called(any_engine: LuaEngine) -> None:
    any_engine.call(Script("a/b", "function F() return 1 end", "F"), [])

    for source in ("-- nothing here", "local function F() return 2 end", "F = nil", ""):
        with pytest.raises(LuaScriptError, match="c/d:1: not found function F"):
            any_engine.call(Script("c/d", source, "F"), [])


def test_arguments_kept_by_a_script_are_not_seen_later(run: Any) -> None:
    assert run("function F(o) kept = o o.x = 1 return o end", {}) == {"x": 1}
    assert run("function F(o) return tostring(kept) end", {}) == "nil"


def test_one_script_with_two_functions_has_two_entries(engine: LuaEngine) -> None:
    source = "function F() return 'f' end function G() return 'g' end"

    assert engine.call(Script("a/b", source, "F"), []) == ["f"]
    assert engine.call(Script("a/b", source, "G"), []) == ["g"]


def test_threads_share_an_engine(any_engine: LuaEngine) -> None:
    failures: list[Any] = []

    def work(number: int) -> None:
        source = f"x = {number} function F(o) o.n = x o.sum = 0 for i = 1, 1000 do o.sum = o.sum + i end return o end"
        for turn in range(100):
            result = any_engine.call(Script(f"t{number}/r", source, "F"), [{"turn": turn, "e": []}])
            if result != [{"turn": turn, "e": [], "n": number, "sum": 500500}]:
                failures.append(result)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert not failures


def test_runtimes_are_reused(engine: LuaEngine) -> None:
    own = LuaEngine()
    for number in range(20):
        own.call(Script("a/b", f"function F() return {number % 3} end", "F"), [])

    assert len(own._idle) == 1


def test_a_full_runtime_is_replaced(any_engine: LuaEngine) -> None:
    hungry = "function F() local s = ('x'):rep(2^24) return string.format('%s%s%s%s%s', s, s, s, s, s) end"
    for _ in range(2):
        with pytest.raises(LuaMemoryExceeded):
            any_engine.call(Script("a/b", hungry, "F"), [])
        assert any_engine.check_syntax("x = = 1") is not None
        assert any_engine.check_syntax("x = 1") is None
        assert any_engine.call(Script("a/b", "function F() return 1 end", "F"), []) == [1]


def test_nothing_of_a_call_is_kept_in_memory(engine: LuaEngine) -> None:
    own = LuaEngine()
    script = Script("a/b", "function F(o) kept = o string.find(o.s, '.-.-.-.-b') return 1 end", "F")
    own.call(Script("a/b", "function F(o) return o end", "F"), [{"s": "x"}])
    runtime = own._idle[-1]._lua
    runtime.gccollect()
    before = runtime.get_memory_used(total=True)

    own.call(
        Script("a/b", "function F(o) kept = o return 1 end", "F"), [{"s": "x" * 3_000_000, "l": []}]
    )
    with pytest.raises(LuaTimeout):
        own.call(script, [{"s": "x" * 500_000, "l": [2.0, None]}], deadline_seconds=0.05)

    runtime.gccollect()
    runtime.gccollect()
    assert runtime.get_memory_used(total=True) - before < 100_000
