from __future__ import annotations

from typing import Any

import pytest

from interpreter.errors import InvalidObject
from interpreter.machinery.selectors import compile_field, compile_selector, integer_of


@pytest.mark.parametrize(
    ("selector", "labels", "matches"),
    [
        pytest.param({}, {}, True, id="an empty selector"),
        pytest.param({"matchLabels": {"a": "1"}}, {"a": "1", "b": "2"}, True, id="equal"),
        pytest.param({"matchLabels": {"a": "1"}}, {"a": "2"}, False, id="another value"),
        pytest.param({"matchLabels": {"a": ""}}, {}, False, id="empty is not missing"),
        pytest.param(
            {"matchExpressions": [{"key": "a", "operator": "NotIn", "values": ["1"]}]},
            {},
            True,
            id="what is missing is not among values",
        ),
        pytest.param(
            {"matchExpressions": [{"key": "a", "operator": "DoesNotExist"}]},
            {"a": ""},
            False,
            id="an empty label exists",
        ),
        pytest.param(
            {
                "matchLabels": {"a": "1"},
                "matchExpressions": [{"key": "b", "operator": "Exists"}],
            },
            {"a": "1"},
            False,
            id="all requirements count",
        ),
    ],
)
def test_a_selector_matches_labels(
    selector: dict[str, Any], labels: dict[str, str], matches: bool
) -> None:
    assert compile_selector(selector).matches(labels) is matches


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param({"key": "a", "operator": "In"}, id="no values"),
        pytest.param({"key": "a", "operator": "Exists", "values": ["1"]}, id="too many values"),
        pytest.param({"key": "a", "operator": "Gt", "values": ["1"]}, id="no label operator"),
        pytest.param({"key": "-a", "operator": "Exists"}, id="no label key"),
        pytest.param({"key": "a", "operator": "In", "values": ["b c"]}, id="no label value"),
    ],
)
def test_a_selector_that_is_not_valid_is_an_error(expression: dict[str, Any]) -> None:
    with pytest.raises(InvalidObject, match=r"labelSelector\.matchExpressions\[0\]"):
        compile_selector({"matchExpressions": [expression]})


def test_labels_may_be_null() -> None:
    assert compile_selector({"matchLabels": {}}).matches(None)


@pytest.mark.parametrize(
    ("operator", "values", "region", "holds"),
    [
        pytest.param("Gt", ["7"], "8", True, id="greater"),
        pytest.param("Gt", ["7"], "7", False, id="not greater"),
        pytest.param("Lt", ["7"], "-8", True, id="a sign"),
        pytest.param("Lt", ["7"], "six", False, id="no number"),
        pytest.param("Lt", ["7"], None, False, id="missing"),
    ],
)
def test_field_selectors_compare_integers(
    operator: str, values: list[str], region: str | None, holds: bool
) -> None:
    requirement = compile_field({"key": "region", "operator": operator, "values": values})
    assert requirement is not None
    assert requirement.holds({} if region is None else {"region": region}) is holds


@pytest.mark.parametrize("values", [["seven"], ["1", "2"], []])
def test_a_comparison_needs_one_integer(values: list[str]) -> None:
    assert compile_field({"key": "region", "operator": "Gt", "values": values}) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [("9223372036854775807", 2**63 - 1), ("9223372036854775808", None), ("1_0", None)],
)
def test_integers_have_64_bits(text: str, number: int | None) -> None:
    assert integer_of(text) == number
