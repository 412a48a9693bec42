"""v1 Secret: only service account tokens have rules."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from interpreter.engines.native.core_secret import KIND

Obj = dict[str, Any]
TOKEN = "kubernetes.io/service-account-token"
UID = "kubernetes.io/service-account.uid"


def secret(kind: Any = TOKEN, **fields: Any) -> Obj:
    return {"apiVersion": "v1", "kind": "Secret", "type": kind, "unknown": [], **fields}


@pytest.mark.parametrize(
    ("own", "members", "want"),
    [
        pytest.param(
            {"token": "b2xk"}, {"token": "bmV3", "x": ""}, {"token": "bmV3", "x": ""}, id="replaced"
        ),
        pytest.param({"token": "b2xk"}, {}, {}, id="emptied"),
        pytest.param(None, {"token": "bmV3"}, {"token": "bmV3"}, id="null in the template"),
    ],
)
def test_the_data_of_a_token_is_the_members(ask: Any, own: Any, members: Any, want: Any) -> None:
    desired, observed = secret(data=own), secret("odd", data=members)
    assert ask(KIND.retain, desired, observed) == secret(data=want)


def test_a_token_without_data_at_the_member_stays_as_it_is(ask: Any) -> None:
    desired = secret(data={"a": "b"})
    assert ask(KIND.retain, desired, secret()) == desired


@pytest.mark.parametrize("kind", ["Opaque", "", f"{TOKEN} "])
def test_another_secret_stays_as_it_is(ask: Any, kind: str) -> None:
    desired = secret(kind, data={"a": "b"})
    # What the member has is not even read then.
    assert ask(KIND.retain, desired, secret(data=5)) == desired


def test_a_secret_without_a_type_stays_as_it_is(ask: Any) -> None:
    assert ask(KIND.retain, {"data": {"a": "b"}}, secret(data={})) == {"data": {"a": "b"}}


@pytest.mark.parametrize(
    ("desired", "observed", "path"),
    [
        (secret(None), secret(), "type"),
        (secret(5), secret(), "type"),
        (secret(), secret(data=None), "data"),
        (secret(), secret(data=[]), "data"),
        (secret(), secret(data={"a": 1}), "data.a"),
        (secret(), secret(data={"a": None}), "data.a"),
    ],
)
def test_retention_of_wrong_types_is_an_error(
    refused: Any, desired: Obj, observed: Obj, path: str
) -> None:
    assert refused(KIND.retain, desired, observed).path == path


def prune(obj: Obj) -> Obj:
    assert KIND.prune_rule is not None
    KIND.prune_rule(obj, False)
    return obj


def test_pruning_a_token_drops_the_account_uid_and_empties_the_data() -> None:
    obj = secret(metadata={"annotations": {UID: "u", "mine": "x"}}, data={"token": "dA=="})
    assert prune(obj) == secret(metadata={"annotations": {"mine": "x"}}, data=None)


@pytest.mark.parametrize("metadata", [None, {}, "odd", {"annotations": None}, {"annotations": []}])
def test_pruning_a_token_without_annotations_empties_the_data(metadata: Any) -> None:
    assert prune(secret(metadata=metadata)) == secret(metadata=metadata, data=None)


@pytest.mark.parametrize("kind", ["Opaque", None, 5, [], {}])
def test_pruning_another_secret_changes_nothing(kind: Any) -> None:
    obj = secret(kind, metadata={"annotations": {UID: "u"}}, data={"a": "b"})
    assert prune(copy.deepcopy(obj)) == obj
