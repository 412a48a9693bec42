"""Resource selectors, and the rank of policies."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from propagation_samples import cluster_role, deployment, policy, selector

from interpreter.errors import InvalidObject
from interpreter.propagation.selection import Match, PolicyIndex, selectors_match

WEB = deployment("web", labels={"app": "web"})


@pytest.mark.parametrize(
    ("more", "match"),
    [
        pytest.param({}, Match.ALL, id="nothing narrows it"),
        pytest.param({"namespace": "prod"}, Match.ALL, id="its namespace"),
        pytest.param({"namespace": "dev"}, Match.NONE, id="another namespace"),
        pytest.param({"kind": "deployment"}, Match.NONE, id="another spelling"),
        pytest.param({"apiVersion": "apps/v1beta1"}, Match.NONE, id="another version"),
        pytest.param({"name": "web"}, Match.NAME, id="its name"),
        pytest.param({"name": "other"}, Match.NONE, id="another name"),
        pytest.param({"labelSelector": {}}, Match.LABELS, id="an empty label selector"),
        pytest.param({"labelSelector": None}, Match.ALL, id="no label selector"),
        pytest.param({"labelSelector": {"matchLabels": {"app": "web"}}}, Match.LABELS, id="label"),
        pytest.param({"labelSelector": {"matchLabels": {"app": "x"}}}, Match.NONE, id="no label"),
        pytest.param(
            {"labelSelector": {"matchExpressions": [{"key": "app", "operator": "Like"}]}},
            Match.NONE,
            id="an unknown operator matches nothing",
        ),
        pytest.param(
            {"name": "web", "labelSelector": {"matchLabels": {"app": "x"}}},
            Match.NAME,
            id="a name decides alone",
        ),
        pytest.param(
            {"name": "web", "labelSelector": {"matchExpressions": [{"key": "", "operator": "?"}]}},
            Match.NAME,
            id="a name decides beside a broken label selector",
        ),
    ],
)
def test_a_selector_matches_by_kind_then_name_then_labels(
    more: dict[str, Any], match: Match
) -> None:
    assert selectors_match(WEB, [{**selector(WEB), **more}]) is match


def test_the_most_precise_of_several_selectors_counts() -> None:
    found = selectors_match(WEB, [selector(WEB), selector(WEB, name="web"), selector(WEB)])
    assert found is Match.NAME


def test_no_selectors_match_nothing() -> None:
    assert selectors_match(WEB, []) is Match.NONE


def test_a_selector_of_the_wrong_type_is_an_error() -> None:
    with pytest.raises(InvalidObject, match="must be an object"):
        selectors_match(WEB, [selector(WEB, labelSelector="app=web")])


def names(template: dict[str, Any], *policies: dict[str, Any]) -> list[str]:
    return [ranked.policy["metadata"]["name"] for ranked in PolicyIndex(policies).ranked(template)]


def test_priority_ranks_before_precision_before_the_smaller_name() -> None:
    named = [selector(WEB, name="web")]
    ranked = names(
        WEB,
        policy("b"),
        policy("a"),
        policy("B"),
        policy("named", selectors=named),
        policy("low", selectors=named, priority=-1),
        policy("high", priority=1),
    )
    assert ranked == ["high", "named", "B", "a", "b", "low"]


def test_cluster_policies_are_not_considered_when_one_of_the_namespace_matches() -> None:
    assert names(WEB, policy("own"), policy("all", namespace="", priority=100)) == ["own"]
    assert names(WEB, policy("all", namespace=""), policy("far", namespace="dev")) == ["all"]


def test_cluster_scoped_templates_know_only_cluster_policies() -> None:
    role = cluster_role()
    selects = [selector(role)]
    policies = [policy("p", selectors=selects), policy("c", namespace="", selectors=selects)]
    assert names(role, *policies) == ["c"]


def test_policies_being_deleted_never_match() -> None:
    going = policy("going", priority=9, metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"})
    index = PolicyIndex([going])
    assert index.winner(WEB) is None


@given(
    st.lists(
        st.tuples(st.integers(-2, 2), st.booleans(), st.text("aB1", min_size=1, max_size=3)),
        unique_by=lambda each: each[2],
        min_size=1,
    ),
    st.randoms(),
)
def test_the_winner_does_not_depend_on_the_order_of_policies(
    stated: list[tuple[int, bool, str]], random: Any
) -> None:
    policies = [
        policy(
            name, priority=priority, selectors=[selector(WEB, **({"name": "web"} if by else {}))]
        )
        for priority, by, name in stated
    ]
    shuffled = random.sample(policies, len(policies))
    assert names(WEB, *policies) == names(WEB, *shuffled)
