"""Python plugins: registration, contract, isolation, wrappers."""

from __future__ import annotations

import types
from typing import Any

import pytest

from interpreter import (
    NO_STATUS,
    Component,
    DependentObjectReference,
    Health,
    HookContext,
    Operation,
    ReplicaResult,
    ResourceInterpreter,
    handles,
    hookimpl,
)
from interpreter.errors import (
    ConfigurationError,
    InvalidCustomization,
    InvalidObject,
    NoInterpreter,
    PluginError,
)

WIDGET = {
    "apiVersion": "stable.example.com/v1",
    "kind": "Widget",
    "metadata": {"name": "w", "labels": {"a": "b"}},
    "spec": {"size": 3},
    "status": {"ready": True},
}
CLAIM = handles("stable.example.com/v1", "Widget")


class Base:
    """A plugin of the whole kind; subclasses add hooks."""

    @hookimpl
    def handles(self) -> list[Any]:
        return [CLAIM]


def test_every_hook_answers_through_the_facade() -> None:
    reference = DependentObjectReference("v1", "Secret", "d", "s")

    class Plugin(Base):
        @hookimpl
        def get_replicas(self, obj: Any) -> ReplicaResult:
            return ReplicaResult(obj["spec"]["size"])

        @hookimpl
        def get_components(self, obj: Any) -> list[Component]:
            return [Component("one", 1)]

        @hookimpl
        def revise_replica(self, obj: Any, replicas: int) -> Any:
            return {**obj, "spec": {"size": replicas}}

        @hookimpl
        def retain(self, desired: Any, observed: Any) -> Any:
            return {**desired, "spec": observed["spec"]}

        @hookimpl
        def aggregate_status(self, obj: Any, items: Any) -> Any:
            return {**obj, "status": {"members": len(items)}}

        @hookimpl
        def reflect_status(self, obj: Any) -> Any:
            return NO_STATUS

        @hookimpl
        def interpret_health(self, obj: Any) -> bool:
            return False

        @hookimpl
        def get_dependencies(self) -> list[Any]:
            return [reference]

        @hookimpl
        def prune(self, obj: Any, remove_job_ttl: bool) -> Any:
            return {**obj, "status": remove_job_ttl}

    ri = ResourceInterpreter(plugins=[Plugin])
    assert ri.get_replicas(WIDGET) == ReplicaResult(3)
    assert ri.get_components(WIDGET) == [Component("one", 1)]
    assert ri.revise_replica(WIDGET, 9)["spec"] == {"size": 9}
    assert ri.retain(WIDGET, {**WIDGET, "spec": {"size": 8}})["spec"] == {"size": 8}
    assert ri.aggregate_status(WIDGET, [{}, {}])["status"] == {"members": 2}
    assert ri.reflect_status(WIDGET) is None
    assert ri.interpret_health(WIDGET) == Health("Degraded", "Unhealthy", "", False)
    assert ri.get_dependencies(WIDGET) == [reference]
    assert ri.prune(WIDGET, remove_job_ttl=True)["status"] is True


def test_a_decorated_class_needs_no_markers() -> None:
    @handles("stable.example.com/v1", "Widget")
    @handles("other.example.com/v1", "*", operations=["InterpretHealth"])
    class Plugin:
        def get_replicas(self, obj: Any) -> int:
            return int(obj["spec"]["size"])

        def interpret_health(self, obj: Any, context: HookContext) -> Health:
            assert context.operation is Operation.INTERPRET_HEALTH
            return Health("Healthy", context.cluster_name)

        def something_else(self, unknown: Any) -> None:
            """Not a hook: nothing checks its arguments."""

    ri = ResourceInterpreter(plugins=[Plugin])
    assert ri.get_replicas(WIDGET).replicas == 3
    context = HookContext(cluster_name="member1")
    assert ri.interpret_health(WIDGET, context=context).reason == "member1"
    other = {**WIDGET, "apiVersion": "other.example.com/v1", "kind": "Any"}
    assert ri.interpret_health(other, context=context).reason == "member1"
    assert ri.explain(other, Operation.GET_REPLICAS).tier is None


def test_a_module_is_a_plugin() -> None:
    module = types.ModuleType("widget_plugin")

    def claims() -> list[Any]:
        return [CLAIM]

    def answer(obj: Any) -> int:
        return 5

    module.handles = hookimpl(claims)  # type: ignore[attr-defined]
    module.get_replicas = hookimpl(answer)  # type: ignore[attr-defined]
    explanation = ResourceInterpreter(plugins=[module]).explain(WIDGET, Operation.GET_REPLICAS)
    assert (explanation.plugin, explanation.answer["replicas"]) == ("widget_plugin", 5)


def test_a_class_is_made_once_and_an_instance_is_taken_as_it_is() -> None:
    made = []

    class Plugin(Base):
        def __init__(self) -> None:
            made.append(self)

        @hookimpl
        def get_replicas(self) -> int:
            return len(made)

    ri = ResourceInterpreter(plugins=[Plugin])
    assert [ri.get_replicas(WIDGET).replicas for _ in range(3)] == [1, 1, 1]
    instance = Plugin()
    assert ResourceInterpreter(plugins=[instance]).get_replicas(WIDGET).replicas == 2


def test_a_plugin_gets_its_own_copy_and_changes_nothing() -> None:
    class Plugin(Base):
        @hookimpl
        def get_replicas(self, obj: Any) -> int:
            obj["spec"]["size"] = 99
            return 1

    given = {**WIDGET, "spec": {"size": 3}}
    ResourceInterpreter(plugins=[Plugin]).get_replicas(given)
    assert given["spec"] == {"size": 3}


# --- What goes wrong ---


def test_a_plugin_that_raises_is_named_with_tier_kind_and_operation() -> None:
    class Broken(Base):
        @hookimpl
        def get_replicas(self) -> int:
            raise ZeroDivisionError("by zero")

    with pytest.raises(PluginError) as caught:
        ResourceInterpreter(plugins=[Broken]).get_replicas(WIDGET)
    error = caught.value
    assert str(error) == (
        "plugin 'Broken' (tier plugin), asked for GetReplicas of stable.example.com/v1/Widget, "
        "raised ZeroDivisionError: by zero"
    )
    assert (error.tier, error.plugin, error.operation) == (
        "plugin",
        "Broken",
        Operation.GET_REPLICAS,
    )
    assert str(error.gvk) == "stable.example.com/v1/Widget"
    assert isinstance(error.__cause__, ZeroDivisionError)


def test_an_error_of_this_package_keeps_its_class_and_gets_the_plugin() -> None:
    class Strict(Base):
        @hookimpl
        def get_replicas(self) -> int:
            raise InvalidObject("must be there", path="spec.size")

    with pytest.raises(InvalidObject) as caught:
        ResourceInterpreter(plugins=[Strict]).get_replicas(WIDGET)
    assert (caught.value.plugin, caught.value.path) == ("Strict", "spec.size")


def test_a_plugin_that_calls_itself_for_ever_is_an_error() -> None:
    class Deep(Base):
        @hookimpl
        def get_replicas(self) -> int:
            return self.get_replicas()

    with pytest.raises(PluginError, match="went too deep"):
        ResourceInterpreter(plugins=[Deep]).get_replicas(WIDGET)


@pytest.mark.parametrize(
    ("hook", "answer", "message"),
    [
        ("get_replicas", -1, "replicas: plugin 'Plugin' returned an unusable answer: must be in"),
        ("get_replicas", 2**31, "must be in 0..2147483647"),
        ("get_replicas", 1.0, "must be a ReplicaResult or an integer, got the number 1.0"),
        ("get_replicas", True, "must be a ReplicaResult or an integer, got the boolean true"),
        ("get_replicas", ReplicaResult("3"), "must be an integer, got the string '3'"),  # type: ignore[arg-type]
        ("get_replicas", ReplicaResult(1, {"cpu": "1"}), "requirements: plugin"),  # type: ignore[arg-type]
        ("get_components", [Component("a", -1)], r"\[0\].replicas: plugin"),
        ("get_components", ["a"], r"\[0\]: plugin 'Plugin' .*must be a Component"),
        ("interpret_health", "Healthy", "must be a Health or a boolean"),
        ("interpret_health", Health("Fine"), "status: plugin .*must be one of Healthy"),  # type: ignore[arg-type]
        ("get_dependencies", [{"kind": "Secret"}], "must be a DependentObjectReference"),
        (
            "get_dependencies",
            [DependentObjectReference("v1", "Secret")],
            "dependency can not leave name and labelSelector all empty",
        ),
        ("revise_replica", [], "must be an object"),
        ("revise_replica", {"apiVersion": "v1"}, "kind: plugin .*must be a non-empty string"),
        ("prune", {"kind": ""}, "kind: plugin .*must be a non-empty string"),
    ],
)
def test_an_unusable_answer_names_plugin_and_field(hook: str, answer: Any, message: str) -> None:
    def method(self: Any) -> Any:
        return answer

    plugin = type("Plugin", (Base,), {hook: hookimpl(method)})
    ri = ResourceInterpreter(plugins=[plugin])
    arguments = {"revise_replica": (WIDGET, 1)}.get(hook, (WIDGET,))
    with pytest.raises(PluginError, match=message) as caught:
        getattr(ri, hook)(*arguments)
    assert caught.value.plugin == "Plugin"


def _without_claims() -> object:
    class Plugin:
        @hookimpl
        def get_replicas(self) -> int:
            return 1

    return Plugin


def _unknown_hook() -> object:
    class Plugin(Base):
        @hookimpl
        def get_replica(self) -> int:
            return 1

    return Plugin


def _unknown_argument() -> object:
    class Plugin(Base):
        @hookimpl
        def get_replicas(self, obj: Any, cluster: Any) -> int:
            return 1

    return Plugin


def _needs_arguments() -> object:
    class Plugin(Base):
        def __init__(self, size: int) -> None:
            self.size = size

    return Plugin


def _wrong_claims() -> object:
    class Plugin:
        @hookimpl
        def handles(self) -> list[Any]:
            return ["apps/v1/Deployment"]

        @hookimpl
        def get_replicas(self) -> int:
            return 1

    return Plugin


def _raising_claims() -> object:
    class Plugin:
        @hookimpl
        def handles(self) -> list[Any]:
            raise KeyError("kinds")

    return Plugin


def _old_wrapper() -> object:
    class Plugin(Base):
        @hookimpl(hookwrapper=True)
        def get_replicas(self) -> Any:
            yield

    return Plugin


def _misspelt_method() -> object:
    @handles("stable.example.com/v1", "Widget")
    class Plugin:
        def get_replica(self) -> int:
            return 1

    return Plugin


def _forgotten_marker() -> object:
    class Plugin:
        @hookimpl
        def handles(self) -> list[Any]:
            return [CLAIM]

        def get_replicas(self) -> int:
            return 1

    return Plugin


def _claimed_without_hook() -> object:
    @handles("stable.example.com/v1", "Widget", operations=["InterpretHealth"])
    class Plugin:
        def get_replicas(self) -> int:
            return 1

    return Plugin


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (_misspelt_method, "get_replica is no hook .*get_replicas"),
        (_forgotten_marker, "has no hooks .*mark methods with @hookimpl"),
        (_claimed_without_hook, "claims InterpretHealth of .*but has no hook for it"),
        (_without_claims, "does not say which kinds it handles .*add a handles"),
        (_unknown_hook, "unknown hook 'get_replica'"),
        (_unknown_argument, r"hook 'get_replicas'.*cluster"),
        (
            _needs_arguments,
            "cannot be made without arguments .*missing 1 required.*pass an instance",
        ),
        (_wrong_claims, r"handles\(\) must return a list of interpreter.handles"),
        (_raising_claims, r"handles\(\) raised KeyError: 'kinds'"),
        (_old_wrapper, "old-style hook wrapper .*wrapper=True"),
    ],
)
def test_a_plugin_that_does_not_fit_is_refused_with_the_fix(make: Any, message: str) -> None:
    with pytest.raises(PluginError, match=message.replace(" .*", ".*")) as caught:
        ResourceInterpreter(plugins=[make()]).start()
    assert caught.value.plugin == "Plugin"


def test_two_plugins_of_one_name_are_an_error() -> None:
    @handles("stable.example.com/v1", "Widget")
    class Twin:
        def get_replicas(self) -> int:
            return 1

    with pytest.raises(ConfigurationError, match="two plugins are named 'Twin'"):
        ResourceInterpreter(plugins=[Twin(), Twin()]).start()


def test_a_name_that_is_not_installed_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="no plugin named 'widget' is installed"):
        ResourceInterpreter(plugins=["widget"])


@pytest.mark.parametrize(
    "arguments",
    [
        ("", "X"),
        ("v1", ""),
        ("/v1", "X"),
        ("a/b/c", "X"),
        ("ex*mple.com/v1", "X"),
        ("*.*.com/v1", "X"),
    ],
)
def test_a_claim_of_another_form_is_an_error(arguments: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="handles"):
        handles(*arguments)


@pytest.mark.parametrize("value", [5, None, object()], ids=["number", "None", "object"])
def test_what_is_no_plugin_is_refused(value: object) -> None:
    with pytest.raises(PluginError, match="no hooks"):
        ResourceInterpreter(plugins=[value]).start()


def test_a_hook_that_leaves_the_process_is_an_error() -> None:
    class Leaving(Base):
        @hookimpl
        def get_replicas(self) -> int:
            raise SystemExit(3)

    with pytest.raises(PluginError, match="raised SystemExit: 3"):
        ResourceInterpreter(plugins=[Leaving]).get_replicas(WIDGET)


def test_one_plugin_that_declines_is_nobody() -> None:
    class Declining(Base):
        @hookimpl
        def get_replicas(self) -> None:
            return None

    ri = ResourceInterpreter(plugins=[Declining])
    with pytest.raises(NoInterpreter):
        ri.get_replicas(WIDGET)
    explanation = ri.explain(WIDGET, Operation.GET_REPLICAS)
    assert explanation.by is None
    assert [entry.reason for entry in explanation.skipped] == ["said: not mine"]


def test_an_answer_says_who_stands_behind_it() -> None:
    class Answering:
        @hookimpl
        def handles(self) -> list[Any]:
            return [handles("apps/v1", "Deployment")]

        @hookimpl
        def get_replicas(self) -> int:
            return 7

    given = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": 5}}
    explanation = ResourceInterpreter(plugins=[Answering]).explain(given, Operation.GET_REPLICAS)
    assert [(entry.tier, entry.reason) for entry in explanation.skipped] == [
        ("native", "plugin:Answering answers first")
    ]


def test_a_swap_leaves_plugins_and_their_state_alone() -> None:
    made = []

    class Counting(Base):
        def __init__(self) -> None:
            made.append(self)

        @hookimpl
        def get_replicas(self) -> int:
            return len(made)

    ri = ResourceInterpreter(plugins=[Counting])
    ri.get_replicas(WIDGET)
    ri.set_webhooks([])
    assert ri.get_replicas(WIDGET).replicas == 1


def test_a_context_that_a_plugin_changes_is_its_own() -> None:
    class Scribbling(Base):
        @hookimpl
        def get_replicas(self, context: HookContext) -> int:
            context.feature_gates["X"] = True  # type: ignore[index]
            return len(context.feature_gates)

    ri = ResourceInterpreter(plugins=[Scribbling])
    context = HookContext(feature_gates={"A": True})
    assert [ri.get_replicas(WIDGET, context=context).replicas for _ in range(2)] == [2, 2]
    assert context.feature_gates == {"A": True}


@pytest.mark.parametrize("yields", [0, 2])
def test_a_wrapper_that_does_not_yield_once_is_an_error(yields: int) -> None:
    class Odd(Base):
        @hookimpl(wrapper=True)
        def get_replicas(self) -> Any:
            for _ in range(yields):
                yield
            return 1

    class Answering(Base):
        @hookimpl
        def get_replicas(self) -> int:
            return 1

    with pytest.raises(PluginError, match="'Odd': a wrapper must yield exactly once"):
        ResourceInterpreter(plugins=[Odd, Answering]).get_replicas(WIDGET)


# --- Wrappers ---


def test_a_wrapper_surrounds_the_native_answer_and_may_amend_it() -> None:
    seen: list[Any] = []

    class Capped:
        @hookimpl
        def handles(self) -> list[Any]:
            return [handles("*", "*")]

        @hookimpl(wrapper=True)
        def get_replicas(self, obj: Any, context: HookContext) -> Any:
            answer = yield
            seen.append((obj["kind"], answer.replicas, context.operation))
            return ReplicaResult(min(answer.replicas, 2), answer.requirements)

    given = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": 5}}
    ri = ResourceInterpreter(plugins=[Capped])
    assert ri.get_replicas(given).replicas == 2
    assert seen == [("Deployment", 5, Operation.GET_REPLICAS)]
    explanation = ri.explain(given, Operation.GET_REPLICAS)
    assert explanation.tier == "native"
    assert explanation.wrapped_by == ("plugin:Capped",)
    assert explanation.skipped == ()


def test_a_wrapper_alone_is_no_rule() -> None:
    class Watching(Base):
        @hookimpl(wrapper=True)
        def get_replicas(self) -> Any:
            return (yield)

    ri = ResourceInterpreter(plugins=[Watching], tiers=("plugin",))
    explanation = ri.explain(WIDGET, Operation.GET_REPLICAS)
    assert explanation.tier is None


def test_errors_inside_and_of_a_wrapper_name_their_own_culprit() -> None:
    class Inner(Base):
        @hookimpl
        def get_replicas(self) -> int:
            raise ValueError("inner")

    class Outer(Base):
        @hookimpl(wrapper=True)
        def get_replicas(self, obj: Any) -> Any:
            if obj["spec"]["size"] == 0:
                raise ValueError("outer")
            return (yield)

    ri = ResourceInterpreter(plugins=[Inner, Outer])
    with pytest.raises(PluginError, match=r"plugin 'Inner' .*raised ValueError: inner"):
        ri.get_replicas(WIDGET)
    with pytest.raises(PluginError, match=r"plugin 'Outer' .*raised ValueError: outer"):
        ri.get_replicas({**WIDGET, "spec": {"size": 0}})


def test_an_unusable_amended_answer_is_an_error() -> None:
    class Spoiling(Base):
        @hookimpl(wrapper=True)
        def get_replicas(self) -> Any:
            yield
            return "many"

    class Answering(Base):
        @hookimpl
        def get_replicas(self) -> int:
            return 1

    with pytest.raises(PluginError, match="'Spoiling' returned an unusable answer"):
        ResourceInterpreter(plugins=[Spoiling, Answering]).get_replicas(WIDGET)


# --- Found by attack ---


def test_a_wrapper_that_loses_the_answer_is_an_error() -> None:
    class Losing(Base):
        @hookimpl(wrapper=True)
        def get_replicas(self) -> Any:
            yield

    class Answering(Base):
        @hookimpl
        def get_replicas(self) -> int:
            return 1

    with pytest.raises(PluginError, match="'Losing' returned an unusable answer"):
        ResourceInterpreter(plugins=[Losing, Answering]).get_replicas(WIDGET)


def test_one_plugin_may_answer_and_wrap() -> None:
    class Both(Base):
        @hookimpl(specname="get_replicas")
        def answers(self) -> int:
            return 3

        @hookimpl(specname="get_replicas", wrapper=True)
        def doubles(self) -> Any:
            answer = yield
            return answer.replicas * 2

    assert ResourceInterpreter(plugins=[Both]).get_replicas(WIDGET).replicas == 6


@pytest.mark.parametrize(
    "answer",
    [{1, 2}, float("nan"), object(), {"a": {1: 2}}],
    ids=["set", "NaN", "object", "integer key"],
)
def test_a_status_that_is_no_json_is_refused(answer: Any) -> None:
    class Plugin(Base):
        @hookimpl
        def reflect_status(self) -> Any:
            return answer

    with pytest.raises(PluginError, match="'Plugin' returned an unusable answer"):
        ResourceInterpreter(plugins=[Plugin]).reflect_status(WIDGET)


def test_an_exception_without_a_text_is_still_named() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise ValueError

    class Plugin(Base):
        @hookimpl
        def get_replicas(self) -> int:
            raise Mute

    with pytest.raises(PluginError, match="raised Mute: <its text cannot be made>"):
        ResourceInterpreter(plugins=[Plugin]).get_replicas(WIDGET)


def test_documents_are_the_interpreters_own() -> None:
    rule = {
        "operations": ["InterpretReplica"],
        "apiGroups": ["stable.example.com"],
        "apiVersions": ["v1"],
        "kinds": ["Widget"],
    }
    webhook = {
        "name": "w",
        "clientConfig": {"url": "https://localhost:1/x"},
        "interpreterContextVersions": ["v1alpha1"],
        "rules": [rule],
    }
    document: dict[str, Any] = {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterWebhookConfiguration",
        "metadata": {"name": "a"},
        "webhooks": [webhook],
    }
    ri = ResourceInterpreter(plugins=None, webhooks=[document])
    document["webhooks"] = "nonsense"
    assert ri.explain(WIDGET, Operation.GET_REPLICAS).plugin == "a/w"


def test_a_rule_that_multiplies_without_end_is_refused() -> None:
    names = [f"n{number}" for number in range(60)]
    document = {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterWebhookConfiguration",
        "metadata": {"name": "a"},
        "webhooks": [
            {
                "name": "w",
                "clientConfig": {"url": "https://localhost:1/x"},
                "interpreterContextVersions": ["v1alpha1"],
                "rules": [
                    {"operations": ["*"], "apiGroups": names, "apiVersions": names, "kinds": names}
                ],
            }
        ],
    }
    with pytest.raises(InvalidCustomization, match=r"webhooks\[0\].rules\[0\]: multiplies to"):
        ResourceInterpreter(plugins=None, webhooks=[document]).start()


def test_a_deprecated_hook_works_and_is_told_of() -> None:
    from interpreter import hookspecs
    from interpreter.registry.plugin_contract import new_manager, register

    class Deprecated:
        @hookspecs.hookspec(warn_on_impl=DeprecationWarning("legacy is get_replicas today"))
        def legacy(self, obj: Any) -> None:
            """A hook of an earlier version."""

    class Old(Base):
        @hookimpl
        def legacy(self, obj: Any) -> None:
            return None

        @hookimpl
        def get_replicas(self, obj: Any) -> int:
            return 1

    manager = new_manager()
    manager.add_hookspecs(Deprecated)
    contract = register(manager, Old, "old", "old")
    assert contract.warnings == ("legacy is get_replicas today",)
    assert [operation for _, operation in contract.hooks] == [Operation.GET_REPLICAS]
