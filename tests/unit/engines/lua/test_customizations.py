# ruff: noqa: E501 - tables of Lua text: a script reads best on its own line
"""Which script answers for a kind."""

from __future__ import annotations

import time
from typing import Any

import pytest

from interpreter.api.context import HookContext
from interpreter.api.operation import Operation
from interpreter.api.results import DependentObjectReference, ReplicaResult
from interpreter.engines.lua.customizations import LuaRule, customization_rules
from interpreter.engines.lua.engine import LuaEngine
from interpreter.errors import InvalidCustomization, LuaScriptError, LuaTimeout
from interpreter.machinery.gvk import GVK
from interpreter.registry.lua_tier import customization_tier
from interpreter.registry.registry import Registry

WIDGET = GVK("example.io", "v1", "Widget")
OBJECT = {
    "apiVersion": "example.io/v1",
    "kind": "Widget",
    "metadata": {"name": "w", "namespace": "ns"},
}


def document(
    name: str, api_version: str = "example.io/v1", kind: str = "Widget", **rules: str
) -> dict[str, Any]:
    return {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterCustomization",
        "metadata": {"name": name},
        "spec": {
            "target": {"apiVersion": api_version, "kind": kind},
            "customizations": {rule: {"luaScript": source} for rule, source in rules.items()},
        },
    }


def replicas(number: int) -> dict[str, str]:
    return {"replicaResource": f"function GetReplicas(o) return {number} end"}


def refers_to(*names: str) -> dict[str, str]:
    entries = ", ".join(
        f"{{ apiVersion = 'v1', kind = 'Secret', namespace = 'ns', name = '{name}' }}"
        for name in names
    )
    return {"dependencyInterpretation": f"function GetDependencies(o) return {{ {entries} }} end"}


def rules_for(
    engine: LuaEngine, documents: list[dict[str, Any]], operation: Operation
) -> list[LuaRule]:
    return [
        rule
        for rule in customization_rules(documents, engine)
        if rule.operation is operation and rule.gvk.matches(WIDGET)
    ]


def ask(
    engine: LuaEngine,
    documents: list[dict[str, Any]],
    operation: Operation = Operation.GET_REPLICAS,
) -> Any:
    rules = rules_for(engine, documents, operation)
    return rules[0].call((OBJECT,), HookContext()) if rules else None


def test_names_are_ordered_bytewise(engine: LuaEngine) -> None:
    for first, second in (("10", "9"), ("B", "a"), ("a", "a-b"), ("a-b", "a.b"), ("z", "é")):
        documents = [document(second, **replicas(2)), document(first, **replicas(1))]
        assert ask(engine, documents) == ReplicaResult(1)


def test_an_empty_script_is_none_and_blanks_are_one(engine: LuaEngine) -> None:
    assert ask(
        engine, [document("a", replicaResource=""), document("b", **replicas(2))]
    ) == ReplicaResult(2)
    assert ask(engine, [document("a", replicaResource="")]) is None
    with pytest.raises(LuaScriptError, match="a/replicaResource:1: not found function GetReplicas"):
        ask(engine, [document("a", replicaResource="  "), document("b", **replicas(2))])


def test_rules_of_one_kind_may_lie_in_several_documents(engine: LuaEngine) -> None:
    documents = [
        document("a", **replicas(1)),
        document(
            "b", healthInterpretation="function InterpretHealth(o) return true end", **replicas(2)
        ),
    ]

    assert ask(engine, documents) == ReplicaResult(1)
    assert ask(engine, documents, Operation.INTERPRET_HEALTH).healthy


def test_the_most_specific_target_wins(engine: LuaEngine) -> None:
    exact = document("z", **replicas(1))
    any_version = document("y", "example.io/*", **replicas(2))
    any_kind = document("x", kind="*", **replicas(3))
    all_of_group = document("w", "example.io/*", "*", **replicas(4))

    assert ask(engine, [all_of_group, any_kind, any_version, exact]) == ReplicaResult(1)
    assert ask(engine, [all_of_group, any_kind, any_version]) == ReplicaResult(2)
    assert ask(engine, [all_of_group, any_kind]) == ReplicaResult(3)
    assert ask(engine, [all_of_group]) == ReplicaResult(4)
    assert ask(engine, [document("a", "other.io/*", "*", **replicas(5))]) is None


def test_specificity_is_decided_rule_by_rule(engine: LuaEngine) -> None:
    documents = [
        document("exact", replicaResource=""),
        document("wide", "example.io/*", "*", **replicas(4)),
    ]

    assert ask(engine, documents) == ReplicaResult(4)


def test_dependency_scripts_of_one_target_are_joined(engine: LuaEngine) -> None:
    documents = [
        document("b", **refers_to("s2", "shared")),
        document("a", **refers_to("shared", "s1")),
        document("c", "example.io/*", **refers_to("wide")),
    ]

    found = ask(engine, documents, Operation.GET_DEPENDENCIES)

    assert found == [
        DependentObjectReference("v1", "Secret", "ns", name) for name in ("s1", "s2", "shared")
    ]
    rule = rules_for(engine, documents, Operation.GET_DEPENDENCIES)[0]
    assert rule.handler == "a/dependencyInterpretation + b/dependencyInterpretation"


def test_one_failing_dependency_script_fails_all(engine: LuaEngine) -> None:
    documents = [
        document("a", **refers_to("s1")),
        document("b", dependencyInterpretation="function GetDependencies(o)\n error('no') end"),
    ]

    with pytest.raises(LuaScriptError, match="b/dependencyInterpretation:2: no") as caught:
        ask(engine, documents, Operation.GET_DEPENDENCIES)

    assert caught.value.plugin == "b"


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"spec": {}}, "spec.target"),
        ({"kind": "Other"}, "kind"),
        ({"spec": {"target": {"apiVersion": "a/b/c", "kind": "K"}, "customizations": {}}}, "spec.target.apiVersion"),
        ({"spec": {"target": {"apiVersion": "*/v1", "kind": "K"}, "customizations": {}}}, "spec.target.apiVersion"),
        ({"spec": {"target": {"apiVersion": "*.io/v1", "kind": "K"}, "customizations": {}}}, "spec.target.apiVersion"),
        ({"spec": {"target": {"apiVersion": "a/v1*", "kind": "K"}, "customizations": {}}}, "spec.target.apiVersion"),
        ({"spec": {"target": {"apiVersion": "a/v1", "kind": "Wid*"}, "customizations": {}}}, "spec.target.kind"),
        ({"spec": {"target": {"apiVersion": "a/v1", "kind": "Widget\n"}, "customizations": {}}}, "spec.target.kind"),
        ({"spec": {"target": {"apiVersion": "a/v1", "kind": "Widget/x"}, "customizations": {}}}, "spec.target.kind"),
        ({"spec": {"target": {"apiVersion": "a/v1 ", "kind": "K"}, "customizations": {}}}, "spec.target.apiVersion"),
        ({"spec": {"target": {"apiVersion": "a/v1", "kind": "K"}, "customizations": {"retain":
        {}}}},
         "spec.customizations.retain"),
    ],
)  # fmt: skip
def test_an_unusable_document_is_refused(
    engine: LuaEngine, change: dict[str, Any], path: str
) -> None:
    with pytest.raises(InvalidCustomization) as caught:
        customization_rules([{**document("bad"), **change}], engine)

    assert caught.value.plugin == "bad"
    assert caught.value.path == path


def test_two_documents_of_one_name_are_refused(engine: LuaEngine) -> None:
    with pytest.raises(InvalidCustomization, match="named 'a'"):
        customization_rules([document("a"), document("a")], engine)


def test_the_tier_lists_every_rule_and_routes_to_the_first(engine: LuaEngine) -> None:
    documents = [
        document("b", **replicas(2)),
        document("a", **replicas(1)),
        document("w", "example.io/*", **refers_to("x")),
    ]
    tier = customization_tier(documents, engine)
    registry = Registry([tier], cache_size=10)

    result, answered = registry.route(WIDGET, Operation.GET_REPLICAS).run((OBJECT,), HookContext())

    assert result == ReplicaResult(1)
    assert answered is not None
    assert (answered.tier, answered.plugin, answered.handler) == (
        "customization",
        "a",
        "a/replicaResource",
    )
    assert [entry.handler for entry in tier.all()] == [
        "a/replicaResource",
        "b/replicaResource",
        "w/dependencyInterpretation",
    ]
    candidates = list(registry.candidates(WIDGET, Operation.GET_REPLICAS))
    assert [candidate.skipped for candidate in candidates] == [
        None,
        "customization:a answers first",
    ]


def test_nothing_to_report_is_none_for_the_caller_of_a_tier(engine: LuaEngine) -> None:
    tier = customization_tier(
        [document("a", statusReflection="function ReflectStatus(o) return nil end")], engine
    )

    entry = tier.find(WIDGET, Operation.REFLECT_STATUS)[0]

    assert entry.call((OBJECT,), HookContext()) is None


def test_no_documents_mean_no_rules(engine: LuaEngine) -> None:
    assert customization_rules([], engine) == []


def test_dependency_scripts_of_one_call_share_its_time() -> None:
    slow = "function GetDependencies(o) for i = 1, 1e8 do end return {} end"
    documents = [document(name, dependencyInterpretation=slow) for name in "abcdef"]
    engine = LuaEngine()
    (rule,) = customization_rules(documents, engine)
    started = time.monotonic()

    with pytest.raises(LuaTimeout):
        rule.call((OBJECT,), HookContext())

    assert time.monotonic() - started < 1.5
    engine.close()
