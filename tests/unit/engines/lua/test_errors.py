# ruff: noqa: E501 - tables of Lua text: a script reads best on its own line
"""Errors of scripts name the customization, the rule, the line and the value."""

from __future__ import annotations

import pickle
import time
from typing import Any

import pytest

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.engines.lua import kube
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script
from interpreter.errors import (
    ConfigurationError,
    EngineError,
    InterpreterError,
    LuaMemoryExceeded,
    LuaScriptError,
    LuaTimeout,
)


@pytest.mark.parametrize(
    ("source", "line", "text"),
    [
        (
            "function F(o)\n  local x\n  return x.y\nend",
            3,
            "attempt to index local 'x' (a nil value)",
        ),
        ("function F(o)\n  error('boom')\nend", 2, "boom"),
        ("function F(o)\n  error('boom', 0)\nend", 2, "boom"),
        ("function F(o)\n  error({ 1 })\nend", 2, "error value is a table"),
        ("function F(o)\n  error()\nend", 2, "error value is nil"),
        ("function F(o)\n\n  return string.find(nil)\nend", 3, "string expected, got nil"),
        ("function F(o)\n  return math.floor(nil)\nend", 2, "argument #1 to '?' (number expected"),
        (
            "function F(o)\n  return (string.rep())\nend",
            2,
            "bad argument #1 to 'rep' (string expected",
        ),
        ("function F(o)\n  return require('kube').resourceAdd('x')\nend", 2, "is not a quantity"),
        ("function F(o)\n  local n = pairs(nil)\nend", 2, "table expected, got nil"),
        (
            "local function g(x)\n  return x.y.z\nend\nfunction F(o)\n  return g({}) .. ''\nend",
            2,
            "attempt to index",
        ),
        ("local x = nil + 1\nfunction F() end", 1, "arithmetic on a nil value"),
        ("function F(o)\n  return { f = F }\nend", 2, "function"),
        ("function F(o)\n  local a = (\nend", 3, "syntax error: "),
        ("function F(o", 1, "syntax error: "),
        ("\n\nfunction F(o) return 1 end end", 3, "syntax error: "),
        ("x = 1", 1, "not found function F"),
        ("F = 5", 1, "F is not a function: number"),
        ("local function F() end", 1, "not found function F"),
        (
            "function F(o)\n  local ok, e = pcall(error, 'in')\n  error('out: ' .. e)\nend",
            3,
            "out: in",
        ),
        ("function F(o)\n  assert(o.missing, 'no field')\nend", 2, "no field"),
        (
            "function F(o)\n  return setmetatable({}, {})\nend",
            2,
            "function setmetatable is not available",
        ),
        ("function F(o)\n  return nil .. 'x'\nend", 2, "attempt to concatenate a nil value"),
        ("function F(o)\n  return F(o) + 1\nend", 2, "stack overflow"),
        ("function F(o)\n  return ('x'):nope()\nend", 2, "attempt to call method 'nope'"),
    ],
)
def test_an_error_names_script_and_line(
    engine: LuaEngine, source: str, line: int, text: str
) -> None:
    with pytest.raises(LuaScriptError) as caught:
        engine.call(Script("widgets/replicaResource", source, "F"), [{}])

    error = caught.value
    assert text in str(error)
    assert f"widgets/replicaResource:{line}" in str(error)
    assert (error.plugin, error.script, error.line) == ("widgets", "widgets/replicaResource", line)
    assert "interpreter:" not in str(error)


@pytest.mark.parametrize("before", range(0, 120, 3))
def test_endless_recursion_is_told_wherever_the_stack_ends(engine: LuaEngine, before: int) -> None:
    # The clock's hook, the library and the error handler compete for the last of the stack.
    source = f"local k = 0\n{'k = k + 1 ' * before}\nfunction F(o)\n  local x = tostring(o) return F(x) .. x\nend"

    with pytest.raises(LuaScriptError, match="stack overflow") as caught:
        engine.call(Script("a/b", source, "F"), [{}])

    assert caught.value.line == 4


def test_a_timeout_and_exhausted_memory_name_the_line(engine: LuaEngine) -> None:
    with pytest.raises(LuaTimeout) as late:
        engine.call(Script("a/b", "function F()\n\n  while true do end\nend", "F"), [])
    with pytest.raises(LuaMemoryExceeded) as full:
        engine.call(
            Script(
                "a/b",
                "function F()\n  local t = {}\n  pcall(function()\n    local s = 'x' while true do s = s .. s end\n  end)\nend",
                "F",
            ),
            [],
        )

    assert late.value.line == 3
    assert full.value.line == 4
    assert "a/b:3: did not end within 1 s" in str(late.value)


@pytest.mark.parametrize(
    ("operation", "body", "path", "value", "text"),
    [
        (Operation.GET_REPLICAS, "return 1.5", "replicas", 1.5, "must be an integer"),
        (Operation.GET_REPLICAS, "return -1", "replicas", -1, "must be in 0..2147483647"),
        (Operation.GET_REPLICAS, "return 2^31", "replicas", 2**31, "must be in 0..2147483647"),
        (Operation.GET_REPLICAS, "return '3'", "replicas", "3", "must be an integer"),
        (Operation.GET_REPLICAS, "return true", "replicas", True, "must be an integer"),
        (Operation.GET_REPLICAS, "return nil", "replicas", None, "must be an integer"),
        (Operation.GET_REPLICAS, "return 1, { resourceRequest = { cpu = 'x' } }", "requirements.resourceRequest.cpu", "x", "quantity"),
        (Operation.GET_REPLICAS, "return 1, 'x'", "requirements", "x", "must be a table"),
        (Operation.INTERPRET_HEALTH, "return nil", None, None, "health must be"),
        (Operation.INTERPRET_HEALTH, "return { status = 'Fine' }", "status", "Fine", "must be one of Healthy"),
        (Operation.INTERPRET_HEALTH, "return { status = 'Healthy', healthy = 1 }", "healthy", 1, "boolean"),
        (Operation.REFLECT_STATUS, "return 5", None, 5, "a status must be a table"),
        (Operation.REVISE_REPLICA, "return nil", None, None, "must be an object"),
        (Operation.REVISE_REPLICA, "return { a = 1 }", "kind", None, "non-empty string"),
        (Operation.RETAIN, "return { 1 }", None, [1], "must be an object"),
        (Operation.AGGREGATE_STATUS, "return { kind = '' }", "kind", "", "non-empty string"),
        (Operation.GET_DEPENDENCIES, "return nil", "dependencies", None, "must be a list"),
        (Operation.GET_DEPENDENCIES, "return { { apiVersion = 'v1', kind = 'Secret' } }", "dependencies[0]", ..., "name and labelSelector"),
        (Operation.GET_DEPENDENCIES, "return { { kind = 'Secret', name = 'a' } }", "dependencies[0].apiVersion", ..., "missing required apiVersion"),
        (Operation.GET_DEPENDENCIES, "return { { apiVersion = 'v1', kind = 'A', name = 5 } }", "dependencies[0].name", 5, "string"),
        (Operation.GET_COMPONENTS, "return { { name = 'a', replicas = 1.5 } }", "components[0].replicas", 1.5, "integer"),
        (Operation.GET_COMPONENTS, "return 'x'", "components", "x", "must be a list"),
    ],
)  # fmt: skip
def test_an_unusable_result_names_line_path_and_value(
    engine: LuaEngine, operation: Operation, body: str, path: str | None, value: Any, text: str
) -> None:
    source = f"function {operation}(o)\n  if o then\n    {body}\n  end\nend"
    script = Script("widgets/some-rule", source, operation.value)
    arguments = {Operation.AGGREGATE_STATUS: ({}, []), Operation.RETAIN: ({}, {})}.get(
        operation, ({},)
    )

    with pytest.raises(LuaScriptError, match=text) as caught:
        engine.interpret(operation, script, arguments, HookContext())

    error = caught.value
    assert error.line == 3
    assert error.path == path
    assert "widgets/some-rule:3" in str(error)
    assert error.operation is operation
    if value is not ...:
        assert error.value == value
        assert type(error.value) is type(value)


def test_a_count_that_is_no_number_at_all_is_named(engine: LuaEngine) -> None:
    script = Script("a/b", "function GetReplicas(o) return 0/0 end", "GetReplicas")

    with pytest.raises(LuaScriptError, match="NaN") as caught:
        engine.interpret(Operation.GET_REPLICAS, script, ({},), HookContext())

    assert caught.value.value != caught.value.value


def test_the_line_of_a_slow_failure_is_given_up(engine: LuaEngine) -> None:
    source = "function F()\n  local t = os.time\n  for i = 1, 3e7 do end\n  return { 0/0 }\nend"
    started = time.monotonic()

    with pytest.raises((LuaScriptError, LuaTimeout)):
        engine.call(Script("a/b", source, "F"), [])

    assert time.monotonic() - started < 1.5


def test_lines_that_ran_are_collected(engine: LuaEngine) -> None:
    source = "local function g()\n  return 1\nend\nfunction F(o)\n  if o.x then\n    g()\n  else\n    return 2\n  end\n  return 3\nend"
    lines: set[int] = set()

    engine.call(Script("a/b", source, "F"), [{"x": True}], lines=lines)

    assert {2, 5, 6, 10} <= lines
    assert 8 not in lines
    engine.call(Script("a/b", source, "F"), [{}], lines=lines)
    assert 8 in lines


def test_syntax_is_checked_by_the_compiler_itself(any_engine: LuaEngine) -> None:
    assert any_engine.check_syntax("function F() return 1 end") is None
    assert any_engine.check_syntax("function F(\n") == (2, "<name> or '...' expected near '<eof>'")
    line, message = any_engine.check_syntax("\n\nlocal x = = 1") or (0, "")
    assert line == 3
    assert "unexpected symbol" in message


def test_a_closed_engine_says_so() -> None:
    engine = LuaEngine()
    engine.call(Script("a/b", "function F() end", "F"), [])
    engine.close()
    engine.close()

    with pytest.raises(InterpreterError, match="closed"):
        engine.call(Script("a/b", "function F() end", "F"), [])


def test_an_unknown_isolation_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="'thread' or 'process'"):
        LuaEngine(isolation="fiber")


def test_a_failing_host_function_of_ours_is_not_swallowed(
    engine: LuaEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_arguments: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setitem(kube._FUNCTIONS, b"resourceAdd", broken)
    source = "function F() pcall(require('kube').resourceAdd, '1') return 1 end"
    with pytest.raises(KeyboardInterrupt):
        engine.call(Script("a/b", source, "F"), [])
    monkeypatch.undo()

    assert engine.call(Script("a/b", source, "F"), []) == [1]


def test_errors_survive_pickling(engine: LuaEngine) -> None:
    with pytest.raises(EngineError) as caught:
        engine.call(Script("a/b", "function F() error('x') end", "F"), [])

    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.message, again.line) == (LuaScriptError, "a/b:1: x", 1)
