from __future__ import annotations

from typing import Any

import pytest

from interpreter.errors import InvalidObject
from interpreter.machinery.affinity import (
    compile_affinity,
    matches_affinity,
    taint_text,
    tolerates,
    untolerated_taint,
)

CLUSTER = {
    "metadata": {"name": "paris", "labels": {"tier": "gold"}},
    "spec": {"provider": "aws", "region": "eu", "zone": "eu-9", "zones": ["eu-1", "eu-2"]},
}


def field(key: str, operator: str, *values: str) -> dict[str, Any]:
    expression = {"key": key, "operator": operator, "values": list(values)}
    return {"fieldSelector": {"matchExpressions": [expression]}}


@pytest.mark.parametrize(
    ("affinity", "matches"),
    [
        pytest.param(None, True, id="none"),
        pytest.param({}, True, id="empty"),
        pytest.param({"clusterNames": []}, True, id="no names"),
        pytest.param({"clusterNames": ["rome"]}, False, id="another name"),
        pytest.param({"clusterNames": ["paris"], "exclude": ["paris"]}, False, id="excluded"),
        pytest.param({"labelSelector": {"matchLabels": {"tier": "gold"}}}, True, id="label"),
        pytest.param(
            {"labelSelector": {"matchExpressions": [{"key": "x", "operator": "NotAnOperator"}]}},
            False,
            id="an invalid selector matches nothing",
        ),
        pytest.param(field("region", "In", "eu", "us"), True, id="region"),
        pytest.param(field("provider", "NotIn", "aws"), False, id="provider"),
        pytest.param(field("cloud", "DoesNotExist"), True, id="an unknown field is not there"),
        pytest.param(field("region", "NotIn", "no label"), False, id="an invalid value"),
        pytest.param(field("zone", "In", "eu-2", "eu-3"), True, id="one zone in common"),
        pytest.param(field("zone", "NotIn", "eu-2"), False, id="a zone in common"),
        pytest.param(field("zone", "In", "eu-9"), False, id="the old field is not read"),
        pytest.param(field("zone", "Exists", "whatever"), True, id="values of Exists"),
        pytest.param(field("zone", "Gt", "1"), False, id="zones are not compared"),
    ],
)
def test_an_affinity_names_clusters(affinity: dict[str, Any] | None, matches: bool) -> None:
    assert matches_affinity(CLUSTER, affinity) is matches


def test_wrong_types_are_errors_and_no_mere_mismatch() -> None:
    with pytest.raises(InvalidObject) as caught:
        compile_affinity({"labelSelector": {"matchLabels": {"a": 1}}})
    assert caught.value.path == "labelSelector.matchLabels"
    with pytest.raises(InvalidObject) as caught:
        compile_affinity(field("region", "In", 3))  # type: ignore[arg-type]
    assert caught.value.path == "fieldSelector.matchExpressions[0].values"


TAINT = {"key": "gpu", "value": "a100", "effect": "NoSchedule"}


@pytest.mark.parametrize(
    ("toleration", "borne"),
    [
        pytest.param({"operator": "Exists"}, True, id="everything"),
        pytest.param(
            {"key": "gpu", "operator": "Exists", "effect": "NoExecute"}, False, id="effect"
        ),
        pytest.param({"key": "gpu", "value": "a100"}, True, id="Equal is the default"),
        pytest.param({"value": "a100"}, True, id="any key of that value"),
        pytest.param({"key": "gpu"}, False, id="another value"),
        pytest.param({"key": "gpu", "operator": "Gt", "value": "a100"}, False, id="unknown"),
    ],
)
def test_a_toleration_bears_a_taint(toleration: dict[str, Any], borne: bool) -> None:
    assert tolerates(toleration, TAINT) is borne


def test_only_hard_taints_keep_away() -> None:
    wish = {"key": "old", "effect": "PreferNoSchedule"}
    assert untolerated_taint([wish], []) is None
    assert untolerated_taint([wish, TAINT], []) == TAINT
    assert taint_text(TAINT) == "gpu=a100:NoSchedule"
    assert taint_text({"key": "down", "effect": "NoExecute"}) == "down:NoExecute"
