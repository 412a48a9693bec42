"""Worker processes."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import pytest

from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.limits import LuaLimits
from interpreter.engines.lua.process import Worker
from interpreter.engines.lua.scripts import Script
from interpreter.errors import EngineError, LuaMemoryExceeded, LuaScriptError, LuaTimeout

FINE = Script("a/b", "function F(o) return o, 2 end", "F")
ENDLESS = Script("a/b", "function F()\n while true do end end", "F")


def worker_of(engine: LuaEngine) -> Any:
    host = engine._idle[-1]
    assert isinstance(host, Worker)
    return host


def test_answers_are_those_of_a_thread() -> None:
    engine, other = LuaEngine(isolation="process"), LuaEngine()
    try:
        value = {"l": [], "m": {}, "n": [None, 1], "big": 2**63 + 1, "f": 2.0, "é": "日本"}
        assert engine.call(FINE, [value]) == other.call(FINE, [value]) == [value, 2]
        lines: set[int] = set()
        engine.call(FINE, [1], lines=lines)
        assert lines == {1}
    finally:
        engine.close()


def test_an_idle_worker_that_died_is_replaced_unnoticed() -> None:
    engine = LuaEngine(isolation="process")
    try:
        for kill in (signal.SIGKILL, signal.SIGTERM):
            engine.call(FINE, [1])
            process = worker_of(engine)._process
            os.kill(process.pid, kill)
            process.wait()
            assert engine.call(FINE, [1]) == [1, 2]
            assert engine.check_syntax("return 1") is None
    finally:
        engine.close()


def test_a_worker_that_dies_at_work_says_so_and_is_replaced() -> None:
    engine = LuaEngine(isolation="process")
    try:
        engine.call(FINE, [1])
        process = worker_of(engine)._process
        killer = threading.Timer(0.3, os.kill, (process.pid, signal.SIGKILL))
        killer.start()
        with pytest.raises(EngineError) as caught:
            engine.call(ENDLESS, [1])
        killer.join()
        error = caught.value
        assert error.message == "the worker process of the script ended (signal SIGKILL)"
        assert (error.plugin, error.script, error.temporary) == ("a", "a/b", True)
        assert not isinstance(error, LuaMemoryExceeded)
        assert engine.call(FINE, [1]) == [1, 2]
    finally:
        engine.close()


def test_memory_that_a_script_wanted_is_still_told_as_such() -> None:
    engine = LuaEngine(isolation="process")
    try:
        greedy = "function F() local s = 'x' while true do s = s .. s end end"
        with pytest.raises(LuaMemoryExceeded):
            engine.call(Script("a/b", greedy, "F"), [])
    finally:
        engine.close()


# More than a pipe holds: the write must not wait for ever either.
@pytest.mark.parametrize("argument", [1, {"s": "x" * 1_000_000}], ids=["small", "large"])
def test_a_worker_that_hangs_is_killed(argument: Any) -> None:
    engine = LuaEngine(isolation="process", limits=LuaLimits(deadline_ms=100, worker_grace_ms=100))
    try:
        engine.call(FINE, [1])
        process = worker_of(engine)._process
        os.kill(process.pid, signal.SIGSTOP)
        started = time.monotonic()
        with pytest.raises(LuaTimeout):
            engine.call(FINE, [argument])
        assert time.monotonic() - started < 1.0
        assert process.poll() is not None
        assert engine.call(FINE, [1]) == [1, 2]
    finally:
        engine.close()


def test_the_deadline_inside_a_worker_keeps_the_worker() -> None:
    engine = LuaEngine(isolation="process")
    try:
        engine.call(FINE, [1])
        before = worker_of(engine)._process.pid
        with pytest.raises(LuaTimeout) as caught:
            engine.call(ENDLESS, [])
        assert caught.value.line == 2
        assert engine.call(FINE, [1]) == [1, 2]
        assert worker_of(engine)._process.pid == before
    finally:
        engine.close()


def test_closing_ends_the_processes() -> None:
    engine = LuaEngine(isolation="process")
    engine.call(FINE, [1])
    process = worker_of(engine)._process

    engine.close()

    assert process.poll() is not None


def test_a_dropped_engine_leaves_no_process() -> None:
    engine = LuaEngine(isolation="process")
    engine.call(FINE, [1])
    process = worker_of(engine)._process

    del engine

    assert process.poll() is not None


def test_a_forked_copy_starts_workers_of_its_own() -> None:
    engine = LuaEngine(isolation="process")
    try:
        engine.call(FINE, [1])
        worker = worker_of(engine)
        worker._owner = -1  # as a child sees it

        assert engine.call(FINE, [1]) == [1, 2]
        assert worker_of(engine) is not worker
        assert worker._process.poll() is None
        worker._owner = os.getpid()
        worker.close()
    finally:
        engine.close()


def test_what_a_worker_ships_of_prints_is_bounded(caplog: pytest.LogCaptureFixture) -> None:
    engine = LuaEngine(isolation="process", limits=LuaLimits(deadline_ms=2000))
    try:
        source = "function F() for n = 1, 20000 do print('line', n) end return 1 end"
        with caplog.at_level("INFO", logger="interpreter.lua"):
            assert engine.call(Script("a/b", source, "F"), []) == [1]
            shown = caplog.messages
            assert shown[:2] == ["print: line\t1", "print: line\t2"]
            assert shown[-1] == "print: (what was printed after this is left out)"
            assert 2000 < len(shown) < 5000

            caplog.clear()
            engine.call(Script("a/b", "function F() print('next') end", "F"), [])
            assert caplog.messages == ["print: next"]
    finally:
        engine.close()


def test_what_was_printed_before_an_error_is_logged_too(caplog: pytest.LogCaptureFixture) -> None:
    engine = LuaEngine(isolation="process")
    try:
        source = "function F() print('before') error('no') end"
        with (
            caplog.at_level("INFO", logger="interpreter.lua"),
            pytest.raises(LuaScriptError, match="no"),
        ):
            engine.call(Script("a/b", source, "F"), [])
        assert caplog.messages[0] == "print: before"
    finally:
        engine.close()
