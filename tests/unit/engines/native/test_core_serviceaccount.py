"""v1 ServiceAccount."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.engines.native.core_serviceaccount import KIND
from interpreter.errors import InvalidObject

Obj = dict[str, Any]
FIELDS = ("secrets", "imagePullSecrets")


def account(**fields: Any) -> Obj:
    return {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {"name": "robot"},
        "unknown": {},
        **fields,
    }


def named(*names: str) -> list[Obj]:
    return [{"name": name} for name in names]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(
    ("own", "members", "want"),
    [
        pytest.param(named("a"), named("b", "a", "c"), named("a", "b", "c"), id="new names"),
        pytest.param([], named("b"), named("b"), id="empty in the template"),
        pytest.param(named("a"), [], named("a"), id="none at the member"),
        pytest.param([], [], [], id="empty lists stay"),
        pytest.param(
            [{"name": "a", "x": 1}],
            [{"name": "a", "x": 2}, {"name": "b", "x": [{}]}],
            [{"name": "a", "x": 1}, {"name": "b", "x": [{}]}],
            id="the entry of the template stays",
        ),
        pytest.param(named("a", "a"), named("a"), named("a", "a"), id="doubles stay"),
    ],
)
def test_secrets_of_the_member_are_added_by_name(
    ask: Any, field: str, own: Any, members: Any, want: Any
) -> None:
    retained = ask(KIND.retain, account(**{field: own}), account(**{field: members}))
    assert retained == account(**{field: want})


@pytest.mark.parametrize("field", FIELDS)
def test_an_absent_list_is_made_only_when_there_is_something_to_add(ask: Any, field: str) -> None:
    added = account(**{field: named("b")})
    assert ask(KIND.retain, account(), added) == added
    assert ask(KIND.retain, account(), account(**{field: []})) == account()
    assert ask(KIND.retain, added, account()) == added


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(
    ("value", "path"),
    [
        (None, ""),
        ({}, ""),
        (["a"], "[0]"),
        ([None], "[0]"),
        ([{"name": "a"}, {}], "[1].name"),
        ([{"name": None}], "[0].name"),
        ([{"name": 5}], "[0].name"),
    ],
)
def test_retention_of_wrong_types_is_an_error(
    refused: Any, field: str, value: Any, path: str
) -> None:
    wrong = account(**{field: value})
    assert refused(KIND.retain, wrong, account()).path == field + path
    assert refused(KIND.retain, account(), wrong).path == field + path


def prune(obj: Obj) -> Obj:
    assert KIND.prune_rule is not None
    KIND.prune_rule(obj, False)
    return obj


@pytest.mark.parametrize(
    ("secrets", "want"),
    [
        pytest.param(named("robot-token-1", "mine"), named("mine"), id="one"),
        pytest.param(named("robot-token-1", "robot-token-2"), [], id="two in a row"),
        pytest.param(
            named("robot-token", "other-token-1", "xrobot-token-1"),
            named("robot-token", "other-token-1", "xrobot-token-1"),
            id="other names",
        ),
        pytest.param([], [], id="empty"),
    ],
)
def test_pruning_drops_every_generated_token(secrets: Any, want: Any) -> None:
    pull = named("robot-token-9")
    assert prune(account(secrets=secrets, imagePullSecrets=pull)) == account(
        secrets=want, imagePullSecrets=pull
    )


@pytest.mark.parametrize("obj", [account(), account(secrets=None), account(secrets={"a": 1})])
def test_pruning_without_a_list_changes_nothing(obj: Obj) -> None:
    before = repr(obj)
    assert repr(prune(obj)) == before


@pytest.mark.parametrize(
    ("obj", "path"),
    [
        (account(secrets=[{}]), "secrets[0].name"),
        (account(secrets=[{"name": "a"}, "b"]), "secrets[1]"),
        (account(secrets=[], metadata={"name": 5}), "metadata.name"),
    ],
)
def test_pruning_of_wrong_types_is_an_error(obj: Obj, path: str) -> None:
    with pytest.raises(InvalidObject) as caught:
        prune(obj)
    assert caught.value.path == path
