"""Who is asked in which order, how a plugin starts from the answer below, and who is taken out."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import (
    NO_STATUS,
    HookContext,
    Operation,
    ResourceInterpreter,
    Settings,
    handles,
    hookimpl,
)
from interpreter.errors import InvalidObject, NoInterpreter, PluginError
from interpreter.registry.plugin_order import order_of

WIDGET: dict[str, Any] = {
    "apiVersion": "example.com/v1",
    "kind": "Widget",
    "spec": {"size": 3},
}
CLAIM = handles("example.com/v1", "Widget")
DEPLOYMENT: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "labels": {"resourcetemplate.karmada.io/retain-replicas": "true"}},
    "spec": {"replicas": 2},
}


def counting(name: str, answer: int, **attributes: Any) -> object:
    """A plugin of Widget that answers a number."""

    def get_replicas(self: object, obj: Any) -> int:
        return answer

    return CLAIM(type(name, (), {"name": name, "get_replicas": get_replicas, **attributes}))


# --- Order ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "order"),
    [
        ({"b": ((), ()), "a": ((), ())}, ["a", "b"]),
        ({"a": ((), ("b",)), "b": ((), ())}, ["b", "a"]),
        ({"a": ((), ()), "b": (("a",), ())}, ["b", "a"]),
        ({"a": ((), ("b",)), "b": ((), ("c",)), "c": ((), ())}, ["c", "b", "a"]),
        ({"a": ((), ("not-there",)), "b": ((), ())}, ["a", "b"]),
        ({"a": (("a",), ("a",))}, ["a"]),
        ({"d": ((), ()), "a": ((), ("c",)), "c": ((), ())}, ["c", "a", "d"]),
    ],
)
def test_plugins_stand_as_they_ask_then_by_name(stated: Any, order: list[str]) -> None:
    found = order_of(stated)
    assert sorted(found.position, key=found.position.__getitem__) == order
    assert found.circles == ()


def test_of_a_circle_the_names_decide_and_it_is_told() -> None:
    found = order_of({"a": ((), ("b",)), "b": ((), ("a",)), "c": (("a",), ())})
    assert found.circles == ("a", "b")
    assert sorted(found.position, key=found.position.__getitem__) == ["b", "c", "a"]


def test_before_and_after_decide_among_equals() -> None:
    plugins = [counting("a", 1, after=["b"]), counting("b", 2)]
    with ResourceInterpreter(plugins=plugins) as ri:
        assert ri.get_replicas(WIDGET).replicas == 2
        assert ri.plugin_conflicts() == []


def test_claims_that_only_names_decide_are_listed() -> None:
    with ResourceInterpreter(plugins=[counting("b", 2), counting("a", 1)]) as ri:
        assert ri.get_replicas(WIDGET).replicas == 1
        (conflict,) = ri.plugin_conflicts()
    assert (conflict.gvk, conflict.operation) == (CLAIM.gvk, Operation.GET_REPLICAS)
    assert conflict.plugins == ("a", "b")


def test_an_order_of_another_form_is_refused() -> None:
    with pytest.raises(PluginError, match="before must be a list of plugin names"):
        ResourceInterpreter(plugins=[counting("a", 1, before=[3])]).start()


# --- The tiers below -----------------------------------------------------------------------------


def test_a_plugin_starts_from_the_native_answer() -> None:
    @handles("apps/v1", "Deployment")
    class KeepsPaused:
        def retain(self, desired: Any, observed: Any, context: HookContext) -> Any:
            result = context.next_tier()
            result["spec"]["paused"] = observed["spec"].get("paused")
            return result

    observed = {**DEPLOYMENT, "spec": {"replicas": 5, "paused": True}}
    with ResourceInterpreter(plugins=[KeepsPaused]) as ri:
        assert ri.retain(DEPLOYMENT, observed)["spec"] == {"replicas": 5, "paused": True}
    assert DEPLOYMENT["spec"] == {"replicas": 2}


def test_who_starts_from_the_answer_below_is_explained_as_the_one_who_answered() -> None:
    @handles("apps/v1", "Deployment")
    class Keeps:
        def retain(self, desired: Any, observed: Any, context: HookContext) -> Any:
            return context.next_tier()

    with ResourceInterpreter(plugins=[Keeps]) as ri:
        explanation = ri.explain(DEPLOYMENT, Operation.RETAIN)
    assert explanation.plugin == "Keeps"
    assert [(one.tier, one.reason) for one in explanation.skipped] == [
        ("native", "plugin:Keeps answers first")
    ]


def test_the_tiers_below_can_be_asked_about_something_else() -> None:
    @handles("apps/v1", "Deployment")
    class Doubles:
        def revise_replica(self, obj: Any, replicas: int, context: HookContext) -> Any:
            return context.next_tier(replicas=replicas * 2)

        def get_replicas(self, obj: Any, context: HookContext) -> Any:
            return context.next_tier(obj={**obj, "spec": {"replicas": 40}})

    with ResourceInterpreter(plugins=[Doubles]) as ri:
        assert ri.revise_replica(DEPLOYMENT, 4)["spec"]["replicas"] == 8
        assert ri.get_replicas(DEPLOYMENT).replicas == 40


def test_nobody_below_is_none_and_nothing_to_report_is_not() -> None:
    seen: list[Any] = []

    @CLAIM
    class Asks:
        def get_replicas(self, obj: Any, context: HookContext) -> int:
            seen.append(context.next_tier())
            return 1

        def reflect_status(self, obj: Any, context: HookContext) -> Any:
            seen.append(context.next_tier())
            return NO_STATUS

    with ResourceInterpreter(plugins=[Asks]) as ri:
        ri.get_replicas(WIDGET)
        ri.reflect_status(WIDGET)
    assert seen == [None, NO_STATUS]


def test_an_argument_that_is_none_of_the_operation_is_the_plugins_fault() -> None:
    @CLAIM
    class Wrong:
        def get_replicas(self, obj: Any, context: HookContext) -> Any:
            return context.next_tier(replicas=1)

    with (
        ResourceInterpreter(plugins=[Wrong]) as ri,
        pytest.raises(PluginError, match="GetReplicas has no argument 'replicas'"),
    ):
        ri.get_replicas(WIDGET)


def test_a_context_without_a_chain_has_nobody_below() -> None:
    assert HookContext().next_tier() is None


# --- Chained customizations ----------------------------------------------------------------------

CHAIN = {"resource-interpreter.io/chain": "true"}


def customization(
    name: str, rule: str, script: str, *, chain: bool = False, target: Any = None
) -> Any:
    return {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterCustomization",
        "metadata": {"name": name, **({"annotations": CHAIN} if chain else {})},
        "spec": {
            "target": target or {"apiVersion": "example.com/v1", "kind": "Widget"},
            "customizations": {rule: {"luaScript": script}},
        },
    }


def appending(function: str, word: str) -> str:
    """A script that appends a word to what earlier ones wrote."""
    return (
        f"function {function}(obj, other)\n"
        f'  obj.words = (obj.words or "") .. "{word}"\n'
        "  return obj\n"
        "end\n"
    )


@pytest.mark.parametrize(
    ("rule", "function", "ask"),
    [
        ("retention", "Retain", lambda ri: ri.retain(WIDGET, WIDGET)),
        ("replicaRevision", "ReviseReplica", lambda ri: ri.revise_replica(WIDGET, 1)),
        ("statusAggregation", "AggregateStatus", lambda ri: ri.aggregate_status(WIDGET, [])),
    ],
)
def test_chained_scripts_go_on_in_the_order_of_names(rule: str, function: str, ask: Any) -> None:
    documents = [
        customization("c", rule, appending(function, "c"), chain=True),
        customization("a", rule, appending(function, "a"), chain=True),
        customization("z", rule, appending(function, "z")),
        customization("zz", rule, appending(function, "not-asked")),
    ]
    with ResourceInterpreter(documents, plugins=None) as ri:
        assert ask(ri)["words"] == "zac"
        explanations = {one.operation.value: one for one in ri.explain(WIDGET)}
    explanation = explanations[function]
    assert (explanation.plugin, explanation.wrapped_by) == (
        "z",
        ("customization:a", "customization:c"),
    )


def test_a_chained_script_goes_on_with_the_native_answer() -> None:
    script = (
        "function Retain(desired, observed)\n"
        "  desired.spec.paused = observed.spec.paused\n"
        "  return desired\n"
        "end\n"
    )
    target = {"apiVersion": "apps/v1", "kind": "Deployment"}
    document = customization("paused", "retention", script, chain=True, target=target)
    observed = {**DEPLOYMENT, "spec": {"replicas": 5, "paused": True}}
    with ResourceInterpreter([document], plugins=None) as ri:
        assert ri.retain(DEPLOYMENT, observed)["spec"] == {"replicas": 5, "paused": True}


def test_where_nobody_else_answers_a_chained_script_starts_from_the_object() -> None:
    document = customization("a", "retention", appending("Retain", "a"), chain=True)
    with ResourceInterpreter([document], plugins=None) as ri:
        assert ri.retain(WIDGET, WIDGET) == {**WIDGET, "words": "a"}
        assert ri.hook_enabled(CLAIM.gvk, Operation.RETAIN)
        explanation = ri.explain(WIDGET, Operation.RETAIN)
    assert (explanation.tier, explanation.plugin) == ("customization", "a")


def test_a_plugins_wrapper_surrounds_chained_scripts() -> None:
    class Wraps:
        name = "wraps"

        @hookimpl
        def handles(self) -> Any:
            return [CLAIM]

        @hookimpl(wrapper=True)
        def retain(self, desired: Any) -> Any:
            answer = yield
            return {**answer, "words": answer["words"] + "!"}

    document = customization("a", "retention", appending("Retain", "a"), chain=True)
    with ResourceInterpreter([document], plugins=[Wraps]) as ri:
        assert ri.retain(WIDGET, WIDGET)["words"] == "a!"


def test_one_chained_script_can_be_switched_off() -> None:
    documents = [
        customization(name, "retention", appending("Retain", name), chain=True) for name in "abc"
    ]
    with ResourceInterpreter(documents, plugins=None, disable=["customization:b"]) as ri:
        assert ri.retain(WIDGET, WIDGET)["words"] == "ac"


def test_an_error_of_a_chained_script_names_it() -> None:
    documents = [
        customization("good", "retention", appending("Retain", "x"), chain=True),
        customization("bad", "retention", "function Retain()\n  error('no')\nend", chain=True),
    ]
    with ResourceInterpreter(documents, plugins=None) as ri:
        explanation = ri.explain(WIDGET, Operation.RETAIN)
    assert explanation.error is not None
    assert (explanation.plugin, explanation.script, explanation.line) == ("bad", "bad/retention", 2)


# --- Quarantine ----------------------------------------------------------------------------------


class Fragile:
    """Fails for objects without a size."""

    name = "fragile"

    @hookimpl
    def handles(self) -> Any:
        return [CLAIM]

    @hookimpl
    def get_replicas(self, obj: Any) -> int:
        if obj.get("refused"):
            raise InvalidObject("is refused")
        return int(obj["spec"]["size"])


BAD = {**WIDGET, "spec": {}}


def fail(ri: ResourceInterpreter, times: int, obj: Any = BAD) -> None:
    for _ in range(times):
        with pytest.raises((PluginError, InvalidObject)):
            ri.get_replicas(obj)


def test_after_failures_in_a_row_a_plugin_is_no_longer_asked() -> None:
    with ResourceInterpreter(plugins=[Fragile], settings=Settings(plugin_failures=3)) as ri:
        fail(ri, 3)
        with pytest.raises(NoInterpreter):
            ri.get_replicas(WIDGET)
        (report,) = ri.plugins()
        (skipped,) = ri.explain(WIDGET, Operation.GET_REPLICAS).skipped
        metrics = ri.telemetry.snapshot()
        assert not ri.hook_enabled(CLAIM.gvk, Operation.GET_REPLICAS)
    assert report.status == "quarantined"
    assert report.failures == 3
    assert "KeyError: 'size'" in (report.trace or "")
    assert skipped.reason == "in quarantine after 3 failures, the last KeyError"
    assert metrics["resource_interpreter_plugin_failures_total"] == {("fragile",): 3}
    assert metrics["resource_interpreter_plugin_quarantined"] == {("fragile",): 1}


def test_the_failure_that_ends_in_quarantine_is_explained_as_the_plugins() -> None:
    with ResourceInterpreter(plugins=[Fragile], settings=Settings(plugin_failures=1)) as ri:
        failed = ri.explain(BAD, Operation.GET_REPLICAS)
        after = ri.explain(BAD, Operation.GET_REPLICAS)
    assert (failed.plugin, failed.skipped) == ("fragile", ())
    assert after.plugin is None
    assert [one.plugin for one in after.skipped] == ["fragile"]


def test_a_success_between_failures_starts_the_count_anew() -> None:
    with ResourceInterpreter(plugins=[Fragile], settings=Settings(plugin_failures=3)) as ri:
        for _ in range(4):
            fail(ri, 2)
            assert ri.get_replicas(WIDGET).replicas == 3
        assert ri.plugins()[0].status == "loaded"
        assert ri.plugins()[0].failures == 8


def test_an_object_that_a_plugin_refuses_is_no_failure_of_the_plugin() -> None:
    with ResourceInterpreter(plugins=[Fragile], settings=Settings(plugin_failures=2)) as ri:
        fail(ri, 5, {**WIDGET, "refused": True})
        assert ri.plugins()[0].status == "loaded"


def test_a_limit_of_zero_takes_nobody_out() -> None:
    with ResourceInterpreter(plugins=[Fragile], settings=Settings(plugin_failures=0)) as ri:
        fail(ri, 20)
        assert ri.get_replicas(WIDGET).replicas == 3


# --- Strict mode and traces ----------------------------------------------------------------------


@CLAIM
class Changes:
    def revise_replica(self, obj: Any, replicas: int) -> Any:
        obj["spec"]["size"] = replicas
        return obj


def test_a_plugin_that_changes_its_input_is_an_error_in_strict_mode_only() -> None:
    with ResourceInterpreter(plugins=[Changes]) as ri:
        assert ri.revise_replica(WIDGET, 9)["spec"] == {"size": 9}
    strict = Settings(strict_plugins=True)
    with (
        ResourceInterpreter(plugins=[Changes], settings=strict) as ri,
        pytest.raises(PluginError, match="'Changes' changed its input obj"),
    ):
        ri.revise_replica(WIDGET, 9)
    assert WIDGET["spec"] == {"size": 3}


def test_a_trace_has_a_line_for_everybody_who_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    @CLAIM
    class NotMine:
        def get_replicas(self, obj: Any) -> None:
            return None

    plugins = [NotMine, counting("second", 5)]
    with ResourceInterpreter(plugins=plugins, settings=Settings(trace=True)) as ri:
        assert ri.get_replicas(WIDGET).replicas == 5
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("trace: GetReplicas of example.com/v1/Widget")
    assert "plugin:NotMine" in first
    assert first.endswith(": not mine")
    assert "plugin:second" in second
    assert second.endswith('{"replicas":5,"requirements":null}')


@pytest.mark.parametrize(
    ("annotation", "rule", "function", "problem"),
    [
        ("yes", "retention", "Retain", 'must be "true" or "false"'),
        ("true", "healthInterpretation", "InterpretHealth", "there is a healthInterpretation"),
        ("true", "replicaResource", "GetReplicas", "there is a replicaResource script"),
    ],
)
def test_what_cannot_be_chained_is_refused_when_it_is_read(
    annotation: str, rule: str, function: str, problem: str
) -> None:
    from interpreter.errors import InvalidCustomization

    document = customization("a", rule, f"function {function}() end", chain=True)
    document["metadata"]["annotations"] = {"resource-interpreter.io/chain": annotation}
    with pytest.raises(InvalidCustomization, match=problem):
        ResourceInterpreter([document], plugins=None).start()
