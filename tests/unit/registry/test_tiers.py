"""Tier order, routing and switches."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import (
    ALL_TIERS,
    GVK,
    Health,
    Operation,
    ReplicaResult,
    ResourceInterpreter,
    handles,
    hookimpl,
)
from interpreter.errors import ConfigurationError, NoInterpreter, WebhookError
from interpreter.registry.disabling import parse_disabled

DEPLOYMENT = GVK("apps", "v1", "Deployment")
WIDGET = GVK("stable.example.com", "v1", "Widget")


def obj(gvk: GVK = WIDGET, **fields: Any) -> dict[str, Any]:
    return {"apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": {"name": "x"}, **fields}


def customization(name: str, gvk: GVK = DEPLOYMENT, **rules: str) -> dict[str, Any]:
    return {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterCustomization",
        "metadata": {"name": name},
        "spec": {
            "target": {"apiVersion": gvk.api_version, "kind": gvk.kind},
            "customizations": {rule: {"luaScript": script} for rule, script in rules.items()},
        },
    }


def webhook(name: str, **rule: list[str]) -> dict[str, Any]:
    return {
        "apiVersion": "config.karmada.io/v1alpha1",
        "kind": "ResourceInterpreterWebhookConfiguration",
        "metadata": {"name": name},
        "webhooks": [
            {
                "name": f"{name}.example.com",
                "clientConfig": {"url": "https://localhost:1/interpret"},
                "interpreterContextVersions": ["v1alpha1"],
                "rules": [
                    {
                        "operations": ["InterpretHealth"],
                        "apiGroups": ["apps"],
                        "apiVersions": ["v1"],
                        "kinds": ["Deployment"],
                        **rule,
                    }
                ],
            }
        ],
    }


def counting(answer: int, *claims: Any, name: str, priority: int = 0) -> object:
    """A plugin that answers GetReplicas with a fixed count; None as answer means not mine."""

    class Plugin:
        @hookimpl
        def handles(self) -> list[Any]:
            return [handles(*claim, priority=priority) for claim in claims]

        @hookimpl
        def get_replicas(self) -> int | None:
            return answer if answer >= 0 else None

    plugin = Plugin()
    plugin.name = name  # type: ignore[attr-defined]
    return plugin


def test_the_order_of_tiers_is_pinned() -> None:
    assert ALL_TIERS == ("customization", "webhook", "plugin", "bundled", "native", "generic")


def test_tiers_keep_their_order_however_they_are_named() -> None:
    ri = ResourceInterpreter(plugins=None, tiers=("generic", "native", "webhook"))
    order = [row.implementation.tier for row in ri.kinds()]
    assert order == sorted(order, key=ALL_TIERS.index)
    assert set(order) == {"native", "generic"}


@pytest.mark.parametrize(
    ("tiers", "answers"),
    [
        pytest.param(("native", "generic"), "native", id="native before generic"),
        pytest.param(("generic",), "generic", id="generic alone"),
        pytest.param(ALL_TIERS, "plugin", id="plugin before native"),
    ],
)
def test_the_first_tier_that_claims_a_kind_answers(tiers: tuple[str, ...], answers: str) -> None:
    class Plugin:
        @hookimpl
        def handles(self) -> list[Any]:
            return [handles("apps/v1", "Deployment")]

        @hookimpl
        def interpret_health(self) -> Health:
            return Health("Suspended", "ByPlugin")

    explanation = ResourceInterpreter(plugins=[Plugin], tiers=tiers).explain(
        obj(DEPLOYMENT), Operation.INTERPRET_HEALTH
    )
    assert explanation.tier == answers
    assert explanation.generic is (answers == "generic")


def test_the_generic_tier_is_never_counted() -> None:
    ri = ResourceInterpreter(plugins=None)
    assert not ri.hook_enabled(WIDGET, Operation.INTERPRET_HEALTH)
    assert ri.hook_enabled(DEPLOYMENT, Operation.INTERPRET_HEALTH)
    assert ri.interpret_health(obj(status={"phase": "Running"})).status == "Healthy"


def test_nobody_answering_raises_with_kind_and_operation() -> None:
    with pytest.raises(NoInterpreter) as caught:
        ResourceInterpreter(plugins=None).get_replicas(obj())
    assert caught.value.gvk == WIDGET
    assert caught.value.operation is Operation.GET_REPLICAS
    assert str(caught.value) == (
        'default InterpretReplica interpreter for "stable.example.com/v1, Kind=Widget" not found'
    )


def test_nobody_answering_is_neutral_for_status_reflection_and_prune() -> None:
    ri = ResourceInterpreter(plugins=None, tiers=("generic",))
    given = obj(status={"a": 1})
    assert ri.reflect_status(given) is None
    pruned = ri.prune(given)
    assert pruned == given
    assert pruned is not given
    assert pruned["status"] is not given["status"]


# --- Order inside the plugin tier ---


@pytest.mark.parametrize(
    ("winner", "loser"),
    [
        pytest.param(
            ("apps.example.com/v1", "Widget"), ("*.example.com/v1", "Widget"), id="exact group"
        ),
        pytest.param(
            ("*.b.example.com/v1", "Widget"), ("*.example.com/v1", "Widget"), id="longer suffix"
        ),
        pytest.param(("*.example.com/v1", "Widget"), ("*/v1", "Widget"), id="suffix before star"),
        pytest.param(
            ("*.example.com/*", "*"), ("*/v1", "Widget"), id="group before kind and version"
        ),
        pytest.param(
            ("apps.b.example.com/*", "Widget"),
            ("apps.b.example.com/v1", "*"),
            id="kind before version",
        ),
        pytest.param(
            ("apps.b.example.com/v1", "*"), ("apps.b.example.com/*", "*"), id="exact version"
        ),
    ],
)
def test_the_most_specific_claim_wins(winner: tuple[str, str], loser: tuple[str, str]) -> None:
    group = winner[0].partition("/")[0].replace("*.", "apps.b.").replace("b.b.", "b.")
    group = "apps.b.example.com" if group.startswith("apps.b") else group
    given = obj(GVK(group, "v1", "Widget"))
    for plugins in (
        [counting(1, winner, name="z"), counting(2, loser, name="a", priority=9)],
        [counting(2, loser, name="a", priority=9), counting(1, winner, name="z")],
    ):
        assert ResourceInterpreter(plugins=plugins).get_replicas(given) == ReplicaResult(1)


def test_priority_then_name_decide_between_equal_claims() -> None:
    claim = ("stable.example.com/v1", "Widget")
    by_priority = [counting(1, claim, name="z", priority=5), counting(2, claim, name="a")]
    by_name = [counting(1, claim, name="b"), counting(2, claim, name="a")]
    assert ResourceInterpreter(plugins=by_priority).get_replicas(obj()).replicas == 1
    assert ResourceInterpreter(plugins=by_name).get_replicas(obj()).replicas == 2


def test_none_means_not_mine_and_the_next_is_asked() -> None:
    claim = ("stable.example.com/v1", "Widget")
    ri = ResourceInterpreter(plugins=[counting(-1, claim, name="a"), counting(7, claim, name="b")])
    explanation = ri.explain(obj(), Operation.GET_REPLICAS)
    assert explanation.answer == {"replicas": 7, "requirements": None}
    assert explanation.plugin == "b"
    assert [(entry.plugin, entry.reason) for entry in explanation.skipped] == [
        ("a", "said: not mine")
    ]


def test_a_plugin_that_declines_leaves_the_kind_to_the_native_tier() -> None:
    ri = ResourceInterpreter(plugins=[counting(-1, ("apps/v1", "Deployment"), name="a")])
    assert ri.get_replicas(obj(DEPLOYMENT, spec={"replicas": 4})).replicas == 4


# --- Switches ---


@pytest.mark.parametrize(
    "switch",
    [
        "native",
        "native:native",
        "native:apps/v1/Deployment",
        "native:*/*/Deployment",
        "native:apps/v1/Deployment#InterpretHealth",
        "native#interpret_health",
    ],
)
def test_a_switch_leaves_the_answer_to_the_next_tier(switch: str) -> None:
    ri = ResourceInterpreter(plugins=None, disable=[switch])
    explanation = ri.explain(obj(DEPLOYMENT), Operation.INTERPRET_HEALTH)
    assert explanation.tier == "generic"
    assert explanation.skipped[0].reason == f"disabled by {switch!r}"
    assert not ri.hook_enabled(DEPLOYMENT, Operation.INTERPRET_HEALTH)


def test_a_switch_reaches_no_further_than_it_says() -> None:
    ri = ResourceInterpreter(plugins=None, disable=["native:apps/v1/Deployment#InterpretHealth"])
    assert ri.hook_enabled(DEPLOYMENT, Operation.GET_REPLICAS)
    assert ri.hook_enabled(GVK("apps", "v1", "ReplicaSet"), Operation.INTERPRET_HEALTH)


def test_one_kind_of_a_pattern_can_be_switched_off() -> None:
    ri = ResourceInterpreter(plugins=None, disable=["native:stable.example.com/v1/Widget#Prune"])
    assert not ri.hook_enabled(WIDGET, Operation.PRUNE)
    assert ri.hook_enabled(DEPLOYMENT, Operation.PRUNE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lua", "'lua' names no tier"),
        ("native:", "'native:' is incomplete"),
        ("native#", "'native#' is incomplete"),
        ("native#Fly", "unknown operation 'Fly'"),
        ("native:a/b/c/d", "'a/b/c/d' is not group/version/Kind"),
    ],
)
def test_an_unusable_switch_is_an_error_that_says_why(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message.replace("/", "/")):
        parse_disabled(text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tiers": ["lua"]}, "unknown tier 'lua'"),
        ({"tiers": "native"}, "tiers must be a list"),
        ({"disable": "native"}, "disable must be a list"),
        ({"isolation": "fork"}, "isolation must be"),
        ({"plugins": "all"}, "plugins must be a list"),
    ],
)
def test_an_unusable_argument_is_an_error_at_once(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        ResourceInterpreter(**arguments)


# --- Declared documents ---


def test_a_webhook_that_cannot_be_reached_is_an_error_that_names_it() -> None:
    ri = ResourceInterpreter(webhooks=[webhook("hooks")], plugins=None)
    with pytest.raises(WebhookError) as caught:
        ri.interpret_health(obj(DEPLOYMENT))
    assert caught.value.plugin == "hooks/hooks.example.com"
    assert caught.value.tier == "webhook"
    assert caught.value.temporary
    assert "'hooks/hooks.example.com' (https://localhost:1/interpret): it cannot be reached" in str(
        caught.value
    )
    assert ri.hook_enabled(DEPLOYMENT, Operation.INTERPRET_HEALTH)
    assert ri.get_replicas(obj(DEPLOYMENT, spec={"replicas": 2})).replicas == 2


def test_webhooks_are_asked_by_configuration_and_name_whatever_their_claim() -> None:
    wide = webhook("a", operations=["*"], apiGroups=["*"], apiVersions=["*"], kinds=["*"])
    ri = ResourceInterpreter(webhooks=[webhook("b"), wide], plugins=None)
    explanation = ri.explain(obj(DEPLOYMENT), Operation.INTERPRET_HEALTH)
    assert explanation.plugin == "a/a.example.com"
    assert explanation.skipped[0].plugin == "b/b.example.com"
    assert explanation.skipped[0].reason == "webhook:a/a.example.com answers first"


def test_explain_lists_what_stands_behind_a_declared_claim() -> None:
    ri = ResourceInterpreter(webhooks=[webhook("hooks")], plugins=None)
    explanation = ri.explain(obj(DEPLOYMENT), Operation.INTERPRET_HEALTH)
    assert isinstance(explanation.error, WebhookError)
    assert explanation.tier == "webhook"
    assert [(entry.tier, entry.reason) for entry in explanation.skipped] == [
        ("native", "webhook:hooks/hooks.example.com answers first"),
        ("generic", "webhook:hooks/hooks.example.com answers first"),
    ]
