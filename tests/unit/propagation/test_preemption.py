"""Policies that come, change or go."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from propagation_samples import NATIVE, config_map, deployment, policy, selector

from interpreter.errors import NotFound
from interpreter.propagation.claiming import claim_of, claimed
from interpreter.propagation.marking import key_of
from interpreter.propagation.policies import Surroundings, reconcile_template
from interpreter.propagation.preemption import (
    Estate,
    PolicyOutcome,
    delete_policy,
    policies_to_review,
    upsert_policy,
)

ON = {"PropagationPolicyPreemption": True}
WEB = deployment()


def bound(template: dict[str, Any], by: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    outcome = reconcile_template(
        template, Surroundings(policies=[by]), interpreter=NATIVE, gates={}
    )
    assert outcome.binding is not None
    return outcome.template, outcome.binding


def upsert(by: dict[str, Any], gates: dict[str, bool] | None = None, **given: Any) -> PolicyOutcome:
    before = copy.deepcopy((by, given))
    outcome = upsert_policy(by, Estate(**given), gates=ON if gates is None else gates)
    assert (by, given) == before
    return outcome


def test_templates_that_are_no_longer_selected_lose_their_claim() -> None:
    template, binding = bound(WEB, policy())
    outcome = upsert(
        policy(selectors=[selector(config_map())]), templates=[template], bindings=[binding]
    )
    assert claim_of(outcome.templates[key_of(template)]) is None
    assert claim_of(outcome.bindings[key_of(binding)]) is None
    assert outcome.queue == []


@pytest.mark.parametrize("lazy", [True, False])
def test_what_a_policy_still_holds_is_queued(lazy: bool) -> None:
    template, binding = bound(WEB, policy())
    by = policy(**({"activationPreference": "Lazy"} if lazy else {}))
    outcome = upsert(by, templates=[template], bindings=[binding])
    assert outcome.queue == [(key_of(template), lazy)]
    assert not outcome.templates
    assert not outcome.bindings


def test_waiting_templates_that_match_are_queued_and_others_wait_on() -> None:
    other = config_map()
    waiting = [key_of(WEB), key_of(other), key_of(deployment("gone"))]
    outcome = upsert(policy(), templates=[WEB, other], waiting=waiting)
    assert outcome.queue == [(key_of(WEB), False)]
    assert outcome.waiting == waiting[1:]


def test_nobody_leaves_the_waiting_list_while_a_dependent_override_is_missing() -> None:
    by = policy(dependentOverrides=["first"])
    outcome = upsert(by, templates=[WEB], waiting=[key_of(WEB)])
    assert outcome.waiting == [key_of(WEB)]
    assert isinstance(outcome.errors[0], NotFound)
    assert outcome.queue == []
    # Without a match nobody asks for the override.
    assert upsert(by, templates=[WEB]).errors == []


def strong(namespace: str = "prod", priority: int = 1, **spec: Any) -> dict[str, Any]:
    named = [selector(WEB, name="web", namespace="prod")]
    stated = {"priority": priority, "preemption": "Always", "selectors": named, **spec}
    return policy("strong", namespace=namespace, **stated)


@pytest.mark.parametrize(
    ("by", "holder", "taken"),
    [
        pytest.param(strong(), policy("weak"), True, id="a higher priority takes"),
        pytest.param(strong(), policy("even", priority=1), False, id="an equal one does not"),
        pytest.param(
            strong(priority=-9), policy("c", namespace="", priority=9), True, id="namespaced first"
        ),
        pytest.param(strong(""), policy("c", namespace=""), True, id="cluster from cluster"),
        pytest.param(strong(""), policy("p", priority=-9), False, id="never from namespaced"),
        pytest.param(strong(preemption="Never"), policy("weak"), False, id="only Always preempts"),
    ],
)
def test_preemption(by: dict[str, Any], holder: dict[str, Any], taken: bool) -> None:
    template = claimed(WEB, holder)
    outcome = upsert(by, templates=[template], policies=[by, holder])
    if taken:
        assert outcome.templates == {key_of(template): claimed(template, by)}
    else:
        assert not outcome.templates
    assert not upsert(by, gates={}, templates=[template], policies=[by, holder]).templates


def test_preemption_takes_nothing_that_is_free_or_being_deleted() -> None:
    weak = policy("weak")
    going = claimed(deployment(deletionTimestamp="2026-01-01T00:00:00Z"), weak)
    for template in (WEB, going, claimed(WEB, strong())):
        assert not upsert(strong(), templates=[template], policies=[weak, strong()]).templates


def test_a_holder_that_does_not_exist_is_an_error_and_the_others_are_handled() -> None:
    other = deployment("other")
    selectors = [selector(WEB, name=name, namespace="prod") for name in ("web", "other")]
    by = strong(selectors=selectors)
    templates = [claimed(WEB, policy("vanished")), claimed(other, policy("weak"))]
    outcome = upsert(by, templates=templates, policies=[by, policy("weak")])
    assert "PropagationPolicy vanished, which holds Deployment web" in str(outcome.errors[0])
    assert list(outcome.templates) == [key_of(other)]


def test_a_deleted_policy_releases_all_it_holds_in_the_kinds_it_selects() -> None:
    by = policy(
        selectors=[selector(WEB, name="somebody-else", namespace="prod")],
        metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"},
    )
    holder = policy(selectors=[selector(WEB), selector(config_map())])
    template, binding = bound(WEB, holder)
    stale, stale_binding = bound(config_map(), holder)
    estate = Estate(templates=[template, stale], bindings=[binding, stale_binding])
    outcome = delete_policy(by, estate)
    assert claim_of(outcome.templates[key_of(template)]) is None
    assert claim_of(outcome.bindings[key_of(binding)]) is None
    assert outcome.bindings[key_of(binding)]["spec"] == binding["spec"]
    # Its kind is not among the selectors.
    assert key_of(stale) not in outcome.templates


@pytest.mark.parametrize(
    ("finalizers", "left"),
    [
        (["karmada.io/propagation-policy-controller"], None),
        (["karmada.io/propagation-policy-controller", "keep/this"], ["keep/this"]),
        (["keep/this"], ["keep/this"]),
    ],
)
def test_a_deleted_policy_is_gone_with_its_last_finalizer(finalizers: Any, left: Any) -> None:
    outcome = delete_policy(policy(metadata={"finalizers": finalizers}), Estate())
    assert (None if outcome.policy is None else outcome.policy["metadata"]["finalizers"]) == left


def review(old: Any, new: Any, *others: Any, gates: Any = ON) -> list[str]:
    queue = policies_to_review(old, new, others, gates=gates)
    return [each["metadata"]["name"] for each in queue]


def generation(number: int, **spec: Any) -> dict[str, Any]:
    return policy("p", metadata={"generation": number}, **spec)


def test_policies_a_sinking_one_now_stands_below_are_reviewed_highest_first() -> None:
    def preempting(name: str, **spec: Any) -> dict[str, Any]:
        return policy(name, preemption="Always", **spec)

    others = [
        preempting("b2", priority=2),
        preempting("a4", priority=4),
        preempting("a2", priority=2),
        preempting("old", priority=5),
        preempting("new", priority=-1),
        preempting("unset"),
        preempting("zero", priority=0),
        policy("quiet", priority=3),
        preempting("far", priority=3, namespace="dev"),
    ]
    old, new = generation(1, priority=5), generation(2, priority=-1)
    assert review(old, new, *others) == ["p", "a4", "a2", "b2", "zero"]
    assert review(old, new, *others, gates={}) == ["p"]
    assert review(new, generation(3, priority=5), *others) == ["p"]
    assert review(old, generation(1, priority=-1), *others) == []
