# ruff: noqa: E501 - tables of Lua text: a script reads best on its own line
"""From what scripts return to result types."""

from __future__ import annotations

import time
from typing import Any

import pytest

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import (
    NO_STATUS,
    Component,
    DependentObjectReference,
    Health,
    NodeClaim,
    ReplicaRequirements,
    ReplicaResult,
)
from interpreter.engines.lua.engine import LuaEngine
from interpreter.engines.lua.scripts import Script
from interpreter.errors import LuaTimeout


def interpret(engine: LuaEngine, operation: Operation, body: str, *arguments: Any) -> Any:
    source = f"function {operation}(a, b)\n  {body}\nend"
    return engine.interpret(
        operation, Script("demo/rule", source, operation.value), arguments or ({},), HookContext()
    )


@pytest.mark.parametrize(
    ("body", "want"),
    [
        ("return 3", ReplicaResult(3)),
        ("return 0, nil", ReplicaResult(0)),
        ("return 2^31 - 1", ReplicaResult(2**31 - 1)),
        (
            "return 2, { resourceRequest = { cpu = '1.5', memory = 1024 }, nodeClaim = { nodeSelector = { a = 'b' } } }",
            ReplicaResult(
                2,
                ReplicaRequirements(
                    NodeClaim(node_selector={"a": "b"}), {"cpu": "1500m", "memory": "1024"}
                ),
            ),
        ),
        (
            "return 1, { ResourceRequest = { cpu = '1' }, other = 5 }",
            ReplicaResult(1, ReplicaRequirements(resource_request={"cpu": "1"})),
        ),
    ],
)
def test_replicas_come_with_requirements(engine: LuaEngine, body: str, want: ReplicaResult) -> None:
    assert interpret(engine, Operation.GET_REPLICAS, body) == want


def test_a_replica_count_that_was_a_whole_float_counts(engine: LuaEngine) -> None:
    result = interpret(engine, Operation.GET_REPLICAS, "return a.n", {"n": 3.0})

    assert result == ReplicaResult(3)
    assert type(result.replicas) is int


@pytest.mark.parametrize(
    ("body", "want"),
    [
        ("return true", Health("Healthy")),
        ("return false", Health("Degraded", "Unhealthy")),
        ("return false, 'no ready pod'", Health("Degraded", "Unhealthy", "no ready pod")),
        ("return true, 5", Health("Healthy")),
        ("return { status = 'Suspended' }", Health("Suspended", healthy=True)),
        (
            "return { status = 'Progressing', reason = 'Rolling', message = 'm', healthy = true }",
            Health("Progressing", "Rolling", "m", True),
        ),
        ("return { status = 'Unknown', extra = 1 }, 'why'", Health("Unknown", "", "why", False)),
    ],
)
def test_health_is_a_boolean_or_a_table(engine: LuaEngine, body: str, want: Health) -> None:
    assert interpret(engine, Operation.INTERPRET_HEALTH, body) == want


def test_a_nil_status_means_nothing_to_report(engine: LuaEngine) -> None:
    assert interpret(engine, Operation.REFLECT_STATUS, "return nil") is NO_STATUS
    assert interpret(engine, Operation.REFLECT_STATUS, "") is NO_STATUS
    assert interpret(engine, Operation.REFLECT_STATUS, "return {}") == {}
    assert interpret(engine, Operation.REFLECT_STATUS, "return { 1 }") == [1]


def test_components_are_read(engine: LuaEngine) -> None:
    body = "return { { name = 'a', replicas = 2, replicaRequirements = { resourceRequest = { cpu = 1 } } }, { name = 'b' } }"

    assert interpret(engine, Operation.GET_COMPONENTS, body) == [
        Component("a", 2, ReplicaRequirements(resource_request={"cpu": "1"})),
        Component("b", 0),
    ]
    assert interpret(engine, Operation.GET_COMPONENTS, "return nil") == []
    assert interpret(engine, Operation.GET_COMPONENTS, "return {}") == []


def test_dependencies_are_sorted_and_appear_once(engine: LuaEngine) -> None:
    body = """
    local function ref(kind, name) return { apiVersion = 'v1', kind = kind, namespace = 'ns', name =
    name } end
    return { ref('Secret', 'b'), ref('ConfigMap', 'z'), ref('Secret', 'a'), ref('Secret', 'b'),
      { apiVersion = 'v1', kind = 'Pod', labelSelector = { matchLabels = { a = 'b' } } } }
    """

    assert interpret(engine, Operation.GET_DEPENDENCIES, body) == [
        DependentObjectReference("v1", "ConfigMap", "ns", "z"),
        DependentObjectReference("v1", "Pod", "", "", {"matchLabels": {"a": "b"}}),
        DependentObjectReference("v1", "Secret", "ns", "a"),
        DependentObjectReference("v1", "Secret", "ns", "b"),
    ]
    assert interpret(engine, Operation.GET_DEPENDENCIES, "return {}") == []


def test_status_items_look_as_the_api_writes_them(engine: LuaEngine) -> None:
    body = """
    a.kind = 'K'
    a.seen = {}
    for i, item in ipairs(b) do
      a.seen[i] = { tostring(item.applied), tostring(item.appliedMessage), item.clusterName, type(item.status) }
    end
    return a
    """
    items = [
        {"clusterName": "m1", "applied": True, "status": {}},
        {"clusterName": "m2", "applied": False, "appliedMessage": "denied"},
        {"status": None},
    ]

    result = interpret(engine, Operation.AGGREGATE_STATUS, body, {}, items)

    assert result["seen"] == [
        ["true", "nil", "m1", "table"],
        ["nil", "denied", "m2", "nil"],
        ["nil", "nil", "", "nil"],
    ]
    assert items[1]["applied"] is False


def test_null_items_are_nil(engine: LuaEngine) -> None:
    body = "a.none = b == nil return a"

    assert interpret(engine, Operation.AGGREGATE_STATUS, body, {"kind": "K"}, None) == {
        "kind": "K",
        "none": True,
    }


def test_a_deadline_of_the_context_is_kept(engine: LuaEngine) -> None:
    script = Script("a/b", "function GetReplicas() while true do end end", "GetReplicas")
    context = HookContext(deadline=time.monotonic() + 0.05)
    with pytest.raises(LuaTimeout):
        engine.interpret(Operation.GET_REPLICAS, script, ({},), context)
    with pytest.raises(LuaTimeout, match="deadline has passed"):
        engine.interpret(Operation.GET_REPLICAS, script, ({},), HookContext(deadline=1.0))


def test_thousands_of_references_are_sorted_in_time(engine: LuaEngine) -> None:
    source = """function GetDependencies(o)
  local found = {}
  for i = 1, 20000 do
    found[i] = { apiVersion = "v1", kind = "Secret", namespace = "n", name = "s" .. (i % 10000) }
  end
  return found
end"""
    script = Script("a/b", source, "GetDependencies")
    started = time.monotonic()

    found = engine.interpret(Operation.GET_DEPENDENCIES, script, ({},), HookContext())

    assert time.monotonic() - started < 1.5
    assert [reference.name for reference in found] == sorted(f"s{i}" for i in range(10_000))
