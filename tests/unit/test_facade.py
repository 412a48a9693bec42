"""The facade: contract, lifetime, swaps, explanations."""

from __future__ import annotations

import copy
import pickle
import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from interpreter import HookContext, Operation, ResourceInterpreter, Settings, handles
from interpreter.errors import (
    ConfigurationError,
    InterpreterError,
    InvalidCustomization,
    InvalidObject,
    NoInterpreter,
)
from interpreter.machinery.gvk import gvk_of
from interpreter.operations import OPERATIONS, parse_operation
from interpreter.telemetry import CALL_SECONDS, CALLS

DEPLOYMENT: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {
        "name": "web",
        "namespace": "shop",
        "generation": 1,
        "annotations": {"resourcetemplate.karmada.io/generation": "1"},
    },
    "spec": {"replicas": 3, "template": {"spec": {"containers": [{"name": "c"}]}}},
    "status": {
        "replicas": 3,
        "updatedReplicas": 3,
        "availableReplicas": 3,
        "observedGeneration": 1,
    },
}


def inputs(operation: Operation, obj: dict[str, Any]) -> dict[str, Any]:
    given = {"observed": obj, "items": [], "replicas": 2, "remove_job_ttl": False}
    return {argument.name: given[argument.name] for argument in OPERATIONS[operation].inputs}


@pytest.mark.parametrize("operation", list(Operation))
def test_every_operation_leaves_its_inputs_alone_and_shares_nothing(operation: Operation) -> None:
    given = copy.deepcopy(DEPLOYMENT)
    result = ResourceInterpreter(plugins=None).call(operation, given, **inputs(operation, given))
    _scribble(OPERATIONS[operation].show(result))
    assert given == DEPLOYMENT


def _scribble(value: Any) -> None:
    if isinstance(value, dict):
        for item in value.values():
            _scribble(item)
        value["scribbled"] = True
    elif isinstance(value, list):
        for item in value:
            _scribble(item)
        value.append("scribbled")


def test_the_table_has_every_operation_and_each_method_exists() -> None:
    assert set(OPERATIONS) == set(Operation)
    assert all(callable(getattr(ResourceInterpreter, spec.hook)) for spec in OPERATIONS.values())


@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("GetReplicas", Operation.GET_REPLICAS),
        ("get_replicas", Operation.GET_REPLICAS),
        ("InterpretReplica", Operation.GET_REPLICAS),
        ("interpretReplica", Operation.GET_REPLICAS),
        ("InterpretComponent", Operation.GET_COMPONENTS),
        ("AggregateStatus", Operation.AGGREGATE_STATUS),
        ("aggregate-status", Operation.AGGREGATE_STATUS),
        ("InterpretStatus", Operation.REFLECT_STATUS),
        ("InterpretDependency", Operation.GET_DEPENDENCIES),
        ("interprethealth", Operation.INTERPRET_HEALTH),
    ],
)
def test_operations_are_known_by_all_their_names(name: str, operation: Operation) -> None:
    assert parse_operation(name) is operation


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        ([], None),
        (None, None),
        ("x", None),
        ({}, "apiVersion"),
        ({"kind": "Deployment"}, "apiVersion"),
        ({"apiVersion": "apps/v1"}, "kind"),
        ({"apiVersion": "apps/v1", "kind": ""}, "kind"),
        ({"apiVersion": 1, "kind": "Deployment"}, "apiVersion"),
        ({"apiVersion": "a/b/c", "kind": "Deployment"}, "apiVersion"),
        ({"apiVersion": "/v1", "kind": "Deployment"}, "apiVersion"),
    ],
)
def test_an_object_without_a_kind_is_an_error(obj: Any, path: str | None) -> None:
    with pytest.raises(InvalidObject) as caught:
        ResourceInterpreter(plugins=None).interpret_health(obj)
    assert caught.value.path == path


@pytest.mark.parametrize("replicas", [-1, 2**31, 1.0, "3", None, True])
def test_a_count_that_is_none_is_refused_whoever_would_answer(replicas: Any) -> None:
    with pytest.raises(InvalidObject, match=r"replicas: must be (an integer|in 0\.\.2147483647)"):
        ResourceInterpreter(plugins=None).revise_replica(DEPLOYMENT, replicas)


def test_errors_carry_kind_operation_and_tier() -> None:
    with pytest.raises(InvalidObject) as caught:
        ResourceInterpreter(plugins=None).get_replicas({**DEPLOYMENT, "spec": {"replicas": "3"}})
    error = caught.value
    assert str(error) == "spec.replicas: must be an integer, got the string '3'"
    assert str(error.gvk) == "apps/v1/Deployment"
    assert (error.operation, error.tier) == (Operation.GET_REPLICAS, "native")
    assert not error.temporary


def test_errors_survive_pickling() -> None:
    with pytest.raises(InvalidObject) as caught:
        ResourceInterpreter(plugins=None).get_replicas({**DEPLOYMENT, "spec": {"replicas": "3"}})
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.path, again.tier) == (str(caught.value), "spec.replicas", "native")


@pytest.mark.parametrize("operation", list(Operation))
def test_deep_nesting_is_an_error_and_not_a_crash(operation: Operation) -> None:
    deep: Any = "bottom"
    for _ in range(100_000):
        deep = {"x": deep}
    given = {**DEPLOYMENT, "spec": {**DEPLOYMENT["spec"], "deep": deep}}
    ri = ResourceInterpreter(plugins=None)
    try:
        ri.call(operation, given, **inputs(operation, DEPLOYMENT))
    except InvalidObject as error:
        problem = str(error)
        assert "nested too deeply" in problem
    finally:
        _unnest(deep)


def _unnest(deep: Any) -> None:
    """Frees a deep value level by level: the interpreter's own destructor would recurse."""
    while isinstance(deep, dict):
        deep = deep.pop("x")


def test_an_object_that_contains_itself_is_an_error() -> None:
    given: dict[str, Any] = {**DEPLOYMENT, "spec": {}}
    given["spec"]["self"] = given
    with pytest.raises(InvalidObject, match="contains itself"):
        ResourceInterpreter(plugins=None).prune(given)


def test_a_closed_interpreter_answers_no_more() -> None:
    with ResourceInterpreter(plugins=None) as ri:
        assert ri.get_replicas(DEPLOYMENT).replicas == 3
    ri.close()
    with pytest.raises(InterpreterError, match="closed"):
        ri.get_replicas(DEPLOYMENT)
    with pytest.raises(InterpreterError, match="closed"):
        ri.set_webhooks([])


def test_the_clock_of_the_context_is_the_one_that_answers_carry() -> None:
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}}
    complete = {"conditions": [{"type": "Complete", "status": "True"}]}
    context = HookContext(clock=lambda: datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC))
    result = ResourceInterpreter(plugins=None).aggregate_status(
        job, [{"clusterName": "m", "status": complete}], context=context
    )
    assert result["status"]["conditions"][0]["lastTransitionTime"] == "2024-05-06T07:08:09Z"


def test_calls_are_counted_by_operation_tier_and_outcome() -> None:
    ri = ResourceInterpreter(plugins=None)
    ri.get_replicas(DEPLOYMENT)
    ri.interpret_health({"apiVersion": "v1", "kind": "ConfigMap"})
    with pytest.raises(InvalidObject):
        ri.get_replicas({**DEPLOYMENT, "spec": []})
    snapshot = ri.telemetry.snapshot()
    assert snapshot[CALLS.name] == {
        ("GetReplicas", "native", "ok"): 1,
        ("InterpretHealth", "generic", "ok"): 1,
        ("GetReplicas", "native", "error"): 1,
    }
    assert snapshot[CALL_SECONDS.name]["GetReplicas", "native"] > 0


def test_the_route_cache_is_bounded() -> None:
    ri = ResourceInterpreter(plugins=None, settings=Settings(route_cache_size=8))
    for number in range(100):
        ri.prune({"apiVersion": "v1", "kind": f"Kind{number}"})
    registry = ri._assembly.current
    assert registry is not None
    assert len(registry._routes) <= 8


@pytest.mark.parametrize("text", ["0", "-1", "many", "1.5", " "])
def test_a_setting_from_the_environment_must_be_a_positive_integer(text: str) -> None:
    with pytest.raises(ConfigurationError, match="RESOURCE_INTERPRETER_MAX_DEPTH"):
        Settings.from_environment({"RESOURCE_INTERPRETER_MAX_DEPTH": text})


def test_settings_come_from_the_environment() -> None:
    assert Settings.from_environment({"RESOURCE_INTERPRETER_MAX_DEPTH": "7"}).max_depth == 7
    assert Settings.from_environment({}) == Settings()


# --- Swaps ---


def webhook(name: str) -> dict[str, Any]:
    return {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterWebhookConfiguration",
        "metadata": {"name": name},
        "webhooks": [
            {
                "name": "w",
                "clientConfig": {"url": "https://localhost:1/x"},
                "interpreterContextVersions": ["v1alpha1"],
                "rules": [
                    {
                        "operations": ["InterpretReplica"],
                        "apiGroups": ["apps"],
                        "apiVersions": ["v1"],
                        "kinds": ["Deployment"],
                    }
                ],
            }
        ],
    }


def test_an_unusable_document_leaves_the_old_ones_in_place() -> None:
    ri = ResourceInterpreter(plugins=None)
    with pytest.raises(InvalidCustomization):
        ri.set_webhooks([webhook("a"), {"kind": "Odd"}])
    assert ri.get_replicas(DEPLOYMENT).replicas == 3


def test_swaps_are_atomic_while_other_threads_call() -> None:
    ri = ResourceInterpreter(plugins=None).start()
    stop = threading.Event()
    odd: list[BaseException] = []
    answers: set[Any] = set()

    def ask() -> None:
        while not stop.is_set():
            try:
                answers.add(ri.get_replicas(DEPLOYMENT).replicas)
            except InterpreterError as error:
                answers.add(error.plugin)
            except BaseException as error:
                odd.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(150):
        ri.set_webhooks([webhook("a")] if number % 2 == 0 else [])
    stop.set()
    for thread in threads:
        thread.join()
    assert not odd
    assert answers <= {3, "a/w"}
    assert ri.get_replicas(DEPLOYMENT).replicas == 3


# --- Explanations ---


def test_explaining_everything_gives_one_explanation_an_operation() -> None:
    explanations = ResourceInterpreter(plugins=None).explain(DEPLOYMENT)
    assert [entry.operation for entry in explanations] == list(OPERATIONS)
    assert {entry.tier for entry in explanations} == {"native"}


def test_missing_inputs_are_assumed_and_noted() -> None:
    ri = ResourceInterpreter(plugins=None)
    notes = {entry.operation: entry.notes for entry in ri.explain(DEPLOYMENT) if entry.notes}
    assert notes == {
        Operation.REVISE_REPLICA: ("replicas: the object's own count, 3",),
        Operation.RETAIN: ("observed: the object itself",),
        Operation.AGGREGATE_STATUS: ("items: one item from the object's own reflected status",),
    }
    given = ri.explain(DEPLOYMENT, Operation.REVISE_REPLICA, replicas=7)
    assert given.notes == ()
    assert given.answer["spec"]["replicas"] == 7


def test_an_error_is_part_of_its_explanation() -> None:
    explanation = ResourceInterpreter(plugins=None).explain(
        {**DEPLOYMENT, "spec": {"replicas": "3"}}, Operation.GET_REPLICAS
    )
    assert str(explanation.error) == "spec.replicas: must be an integer, got the string '3'"
    assert (explanation.tier, explanation.handler) == ("native", "native.templates.replicas_of")
    assert explanation.to_dict()["error"]["type"] == "InvalidObject"


def test_a_generic_answer_is_marked() -> None:
    explanation = ResourceInterpreter(plugins=None).explain(
        {"apiVersion": "x.io/v1", "kind": "Y", "status": {"phase": "Failed"}},
        Operation.INTERPRET_HEALTH,
    )
    assert (explanation.generic, explanation.answer["status"]) == (True, "Degraded")


# --- Views ---


def test_a_view_uses_fewer_tiers_of_the_same_interpreter() -> None:
    ri = ResourceInterpreter(plugins=None)
    view = ri.restricted(("customization", "generic"))
    assert view.interpret_health({"apiVersion": "v1", "kind": "Odd"}).status
    with pytest.raises(NoInterpreter):
        view.get_replicas(DEPLOYMENT)
    assert ri.get_replicas(DEPLOYMENT).replicas == 3
    assert view.telemetry is ri.telemetry
    assert {row.implementation.tier for row in view.kinds()} == {"generic"}


def test_a_view_follows_swaps_and_closing_it_closes_nothing() -> None:
    ri = ResourceInterpreter(plugins=None)
    view = ri.restricted(("webhook",))
    assert view.kinds() == []
    ri.set_webhooks([webhook("a")])
    assert {row.implementation.tier for row in view.kinds()} == {"webhook"}
    view.close()
    assert ri.restricted(("native",)).get_replicas(DEPLOYMENT).replicas == 3
    ri.close()
    with pytest.raises(InterpreterError, match="closed"):
        view.kinds()


def test_a_view_without_neutral_answers_says_when_nobody_answers() -> None:
    view = ResourceInterpreter(plugins=None).restricted(("plugin",), neutral=False)
    for operation in (Operation.REFLECT_STATUS, Operation.PRUNE):
        with pytest.raises(NoInterpreter):
            view.call(operation, DEPLOYMENT)


def test_a_view_may_ask_below_what_answers_nobody_else() -> None:
    class Keeps:
        name = "keeps"

        def retain(self, desired: Any, observed: Any, context: HookContext) -> Any:
            return context.next_tier() or {**desired, "below": "nobody"}

    ri = ResourceInterpreter(plugins=[handles("apps/v1", "Deployment")(Keeps)])
    copies = (DEPLOYMENT, DEPLOYMENT)
    assert ri.restricted(("plugin",)).retain(*copies)["below"] == "nobody"
    view = ri.restricted(("plugin",), below=("native",))
    assert view.retain(*copies) == ri.retain(*copies)
    with pytest.raises(NoInterpreter):
        view.get_replicas(DEPLOYMENT)


def test_whether_an_answer_is_built_in_is_known_without_loading_anything() -> None:
    ri = ResourceInterpreter()
    asked = (gvk_of(DEPLOYMENT), Operation.GET_REPLICAS)
    assert not ri.built_in(*asked)
    assert not ri.start().built_in(*asked)
    ri.get_replicas(DEPLOYMENT)
    assert ri.built_in(*asked)


@pytest.mark.parametrize("trace", [False, True])
def test_who_did_not_answer_is_told_of_copies_too(trace: bool) -> None:
    ri = ResourceInterpreter(plugins=None, settings=Settings(trace=trace))
    found = ri.explain(DEPLOYMENT, Operation.INTERPRET_HEALTH)
    assert [(entry.tier, entry.reason) for entry in found.skipped] == [
        ("generic", "native answers first")
    ]


def test_a_view_of_an_unknown_tier_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="unknown tier 'luna'"):
        ResourceInterpreter().restricted(("luna",))
