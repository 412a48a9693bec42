# ruff: noqa: E501 - Lua text reads best on its own line
"""Lua customizations as callers of the library meet them."""

from __future__ import annotations

import copy
import threading
from typing import Any

import pytest

from interpreter import (
    GVK,
    Component,
    DependentObjectReference,
    Health,
    Operation,
    ReplicaRequirements,
    ReplicaResult,
    ResourceInterpreter,
    Settings,
)
from interpreter.errors import (
    ConfigurationError,
    LuaScriptError,
    LuaTimeout,
    NoInterpreter,
)
from tests.unit.registry.test_tiers import WIDGET, customization, obj

RULES = {
    "replicaResource": "function GetReplicas(o) return o.spec.size, { resourceRequest = { cpu = '1' } } end",
    "componentResource": "function GetComponents(o) return { { name = 'main', replicas = o.spec.size } } end",
    "replicaRevision": "function ReviseReplica(o, n) o.spec.size = n return o end",
    "retention": "function Retain(d, o) d.spec.node = o.spec.node return d end",
    "statusAggregation": "function AggregateStatus(o, items) o.status = { members = #items } return o end",
    "statusReflection": "function ReflectStatus(o) return o.status end",
    "healthInterpretation": "function InterpretHealth(o) return o.status.ok == true end",
    "dependencyInterpretation": "function GetDependencies(o) return { { apiVersion = 'v1', kind = 'Secret', namespace = 'ns', name = o.spec.secret } } end",
}  # fmt: skip


@pytest.mark.parametrize("isolation", ["thread", "process"])
def test_every_rule_answers_its_operation(isolation: Any) -> None:
    widget = obj(spec={"size": 3, "secret": "key", "list": [], "map": {}}, status={"ok": True})
    before = copy.deepcopy(widget)
    member = obj(spec={"node": "n1"})

    with ResourceInterpreter(
        customizations=[customization("widgets", WIDGET, **RULES)], isolation=isolation
    ) as ri:
        assert ri.get_replicas(widget) == ReplicaResult(
            3, ReplicaRequirements(resource_request={"cpu": "1"})
        )
        assert ri.get_components(widget) == [Component("main", 3)]
        assert ri.revise_replica(widget, 7) == {**before, "spec": {**before["spec"], "size": 7}}
        assert ri.retain(widget, member)["spec"] == {**before["spec"], "node": "n1"}
        items = [{"clusterName": "a"}, {"clusterName": "b"}]
        assert ri.aggregate_status(widget, items)["status"] == {"members": 2}
        assert ri.reflect_status(widget) == {"ok": True}
        assert ri.interpret_health(widget) == Health("Healthy", healthy=True)
        assert ri.get_dependencies(widget) == [
            DependentObjectReference("v1", "Secret", namespace="ns", name="key")
        ]
        for operation in Operation:
            assert ri.hook_enabled(WIDGET, operation) is True
    assert widget == before


def test_a_status_that_is_nil_is_nothing_to_report_and_nobody_else_is_asked() -> None:
    rules = {"statusReflection": "function ReflectStatus(o) return nil end"}
    with ResourceInterpreter(customizations=[customization("w", WIDGET, **rules)]) as ri:
        assert ri.reflect_status(obj(status={"phase": "Ready"})) is None


def test_the_most_specific_target_answers_and_names_decide_between_equals() -> None:
    def counting(count: int) -> str:
        return f"function GetReplicas(o) return {count} end"

    group = WIDGET.group
    documents = [
        customization("a-any", GVK(group, "*", "*"), replicaResource=counting(1)),
        customization("b-version", GVK(group, "v1", "*"), replicaResource=counting(2)),
        customization("c-kind", GVK(group, "*", "Widget"), replicaResource=counting(3)),
        customization("z-second", WIDGET, replicaResource=counting(5)),
        customization("d-exact", WIDGET, replicaResource=counting(4)),
    ]
    with ResourceInterpreter(customizations=documents) as ri:
        found = {
            gvk: ri.get_replicas(obj(gvk)).replicas
            for gvk in (
                WIDGET,
                GVK(group, "v2", "Widget"),
                GVK(group, "v1", "Gadget"),
                GVK(group, "v2", "Gadget"),
            )
        }
        shown = ri.explain(obj(), Operation.GET_REPLICAS)

    assert list(found.values()) == [4, 3, 2, 1]
    assert (shown.tier, shown.plugin, shown.handler) == (
        "customization",
        "d-exact",
        "d-exact/replicaResource",
    )
    with ResourceInterpreter(customizations=documents) as ri, pytest.raises(NoInterpreter):
        ri.get_replicas(obj(GVK("other.example.com", "v1", "Widget")))


def test_dependency_rules_of_one_target_are_joined_sorted_and_said_once() -> None:
    def depending(*names: str) -> str:
        items = ", ".join(
            f"{{ apiVersion = 'v1', kind = 'Secret', namespace = 'ns', name = '{name}' }}"
            for name in names
        )
        return f"function GetDependencies(o) return {{ {items} }} end"

    documents = [
        customization("two", WIDGET, dependencyInterpretation=depending("c", "b")),
        customization("one", WIDGET, dependencyInterpretation=depending("b", "a")),
    ]
    with ResourceInterpreter(customizations=documents) as ri:
        names = [found.name for found in ri.get_dependencies(obj())]

    assert names == ["a", "b", "c"]


def test_an_error_ends_the_chain_and_names_customization_rule_line_kind_and_operation() -> None:
    deployment = GVK("apps", "v1", "Deployment")
    rules = {"healthInterpretation": "function InterpretHealth(o)\n  return o.status.a.b\nend"}
    with ResourceInterpreter(customizations=[customization("mine", deployment, **rules)]) as ri:
        with pytest.raises(LuaScriptError, match=r"mine/healthInterpretation:2: attempt to index"):
            ri.interpret_health(obj(deployment, status={}))
        with pytest.raises(LuaScriptError) as caught:
            ri.interpret_health(obj(deployment, status={}))
        # Rules of other operations stay with the native tier.
        assert ri.get_replicas(obj(deployment, spec={"replicas": 4})).replicas == 4

    error = caught.value
    assert (error.tier, error.plugin, error.gvk, error.operation, error.line) == (
        "customization",
        "mine",
        deployment,
        Operation.INTERPRET_HEALTH,
        2,
    )


def test_settings_bound_scripts() -> None:
    rules = {"replicaResource": "function GetReplicas(o)\n  while true do end\nend"}
    settings = Settings(lua_deadline_ms=50)
    with (
        ResourceInterpreter(
            customizations=[customization("w", WIDGET, **rules)], settings=settings
        ) as ri,
        pytest.raises(LuaTimeout, match=r"w/replicaResource:2: did not end within 0.05 s"),
    ):
        ri.get_replicas(obj())


def test_documents_are_swapped_while_threads_call() -> None:
    def documents(count: int) -> list[dict[str, Any]]:
        script = f"function GetReplicas(o) return {count} end"
        return [customization("w", WIDGET, replicaResource=script)]

    seen: set[int] = set()
    failures: list[Exception] = []
    stop = threading.Event()

    with ResourceInterpreter(customizations=documents(1)) as ri:

        def ask() -> None:
            while not stop.is_set():
                try:
                    seen.add(ri.get_replicas(obj()).replicas)
                except Exception as error:
                    failures.append(error)

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for count in range(2, 40):
            ri.set_customizations(documents(count))
            assert ri.get_replicas(obj()).replicas == count
        stop.set()
        for thread in threads:
            thread.join()

    assert failures == []
    assert seen <= set(range(1, 40))


def test_isolation_is_one_of_two_words() -> None:
    with pytest.raises(ConfigurationError, match="isolation must be 'thread' or 'process'"):
        ResourceInterpreter(isolation="container")  # type: ignore[arg-type]
