# ruff: noqa: E501 - tables of Lua text: a script reads best on its own line
"""What becomes of an empty table that a script made."""

from __future__ import annotations

import time
from typing import Any

import pytest

from interpreter.api.operation import Operation
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script


@pytest.mark.parametrize(
    ("source", "arguments", "operation", "want"),
    [
        pytest.param(
            "function F(o) o.spec.l = {} o.spec.m = {} return o end",
            [{"spec": {"l": [1], "m": {"x": 1}}}],
            None,
            {"spec": {"l": [], "m": {}}},
            id="the same path of the input decides",
        ),
        pytest.param(
            "function F(d, o) d.spec = { l = {}, m = {} } return d end",
            [{"kind": "K"}, {"spec": {"l": [], "m": {}}}],
            None,
            {"kind": "K", "spec": {"l": [], "m": {}}},
            id="any input decides",
        ),
        pytest.param(
            "function F(o, items) o.status = { conditions = {}, parts = {} } return o end",
            [{"kind": "K"}, [{"clusterName": "m", "status": {"conditions": [], "parts": {}}}]],
            Operation.AGGREGATE_STATUS,
            {"kind": "K", "status": {"conditions": [], "parts": {}}},
            id="statuses of items count as status",
        ),
        pytest.param(
            "function F(o) return { conditions = {}, unknown = {} } end",
            [{"status": {"conditions": [{"type": "Ready"}]}}],
            Operation.REFLECT_STATUS,
            {"conditions": []},
            id="a reflected status lies at status",
        ),
        pytest.param(
            "function F(o) o.list[2].x = {} return o end",
            [{"list": [{"x": [1]}, {}]}],
            None,
            {"list": [{"x": [1]}, {"x": []}]},
            id="list indexes are ignored",
        ),
        pytest.param(
            "function F(o) return { metadata = { labels = {}, finalizers = {} }, spec = { template = { spec = "
            "{ containers = {}, nodeSelector = {} } } } } end",
            [{}],
            None,
            {
                "metadata": {"labels": {}, "finalizers": []},
                "spec": {"template": {"spec": {"containers": [], "nodeSelector": {}}}},
            },
            id="Kubernetes types decide where no input does",
        ),
        pytest.param(
            "function F(o) return { a = {}, b = { c = {} }, d = { {}, 1 } } end",
            [{}],
            None,
            {"b": {}, "d": [1]},
            id="the rest is left out in one pass",
        ),
        pytest.param(
            "function F(o) return {} end", [{}], None, {}, id="an empty result is an object"
        ),
        pytest.param(
            "function F(o) o.x = { {}, {} } return o end",
            [{"x": [{}, {}]}],
            None,
            {"x": []},
            id="an element of a list has no path of its own",
        ),
        pytest.param(
            "function F(o) o.copy = o.empty o.other = o.list return o end",
            [{"empty": {}, "list": []}],
            None,
            {"empty": {}, "list": [], "copy": {}, "other": []},
            id="empties that came in stay what they were wherever they are put",
        ),
        pytest.param(
            "function F(o) table.remove(o.l) return o end",
            [{"l": [1]}],
            None,
            {"l": []},
            id="an emptied list stays a list at its place",
        ),
    ],
)
def test_a_new_empty_table_is_placed(
    engine: LuaEngine, source: str, arguments: list[Any], operation: Operation | None, want: Any
) -> None:
    script = Script("demo/rule", source, "F")

    result = engine.call(script, arguments, operation=operation)[0]

    assert result == want
    assert repr(sorted(_kinds(result))) == repr(sorted(_kinds(want)))


def _kinds(value: Any, path: str = "") -> list[tuple[str, str]]:
    found = []
    if isinstance(value, (dict, list)):
        found.append((path, type(value).__name__))
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            found.extend(_kinds(item, f"{path}.{key}"))
    return found


def test_many_new_empty_tables_are_placed_in_time(engine: LuaEngine) -> None:
    source = "function F(o) for i, v in ipairs(o.l) do v.x = {} v['y' .. i] = {} end return o end"
    given = {"l": [{"a": 1} for _ in range(20_000)] + [{"a": 1, "x": []}]}
    started = time.monotonic()

    (found,) = engine.call(Script("a/b", source, "F"), [given])

    assert time.monotonic() - started < 1.5
    assert found == {"l": [{"a": 1, "x": []} for _ in range(20_001)]}
